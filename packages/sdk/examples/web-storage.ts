// A page, or the window of a Tauri program.
import { createGate } from '@saleproof/sdk/gate'
import { explain } from '@saleproof/sdk/messages'
import { createPublishableClient } from '@saleproof/sdk/publishable'
import { createWebStorageStore } from '@saleproof/sdk/web-storage'

const gate = createGate({
  client: createPublishableClient({
    baseUrl: 'https://market.example.com',
    apiKey: 'YOUR_PUBLISHABLE_KEY',
  }),
  onUnknown: { allowCachedMs: 30 * 86_400_000 },
  store: createWebStorageStore(localStorage, { pepper: 'YOUR_PEPPER: 32 random characters or more' }),
})

export async function unlock(code: string): Promise<string> {
  const check = await gate.check(code, { itemId: 101 })
  return check.outcome === 'valid' ? 'Thank you!' : explain(check)
}
