// The main process of an Electron program.
import { join } from 'node:path'
import { createGate } from '@saleproof/sdk/gate'
import { explain } from '@saleproof/sdk/messages'
import { createFileStore } from '@saleproof/sdk/node'
import { createPublishableClient } from '@saleproof/sdk/publishable'
import { app, ipcMain } from 'electron'

// Anyone with the program can read its key: a publishable key can only check codes.
const client = createPublishableClient({
  baseUrl: 'https://market.example.com',
  apiKey: 'YOUR_PUBLISHABLE_KEY',
})
const gate = createGate({
  client,
  onUnknown: { allowCachedMs: 30 * 86_400_000 },
  store: createFileStore({
    directory: join(app.getPath('userData'), 'purchases'),
    pepper: 'YOUR_PEPPER: 32 random characters or more',
  }),
})

ipcMain.handle('check-purchase', async (_event, code: string) => {
  const check = await gate.check(code, { itemId: 101 })
  return check.outcome === 'valid' ? 'Thank you!' : explain(check)
})
