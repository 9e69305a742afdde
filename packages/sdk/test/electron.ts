import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Electron, as far as the example uses it: `vitest.config.ts` puts it in its place.

export const userData = mkdtempSync(join(tmpdir(), 'saleproof-electron-'))
export const app = { getPath: () => userData }

type Listener = (event: unknown, code: string) => Promise<string>
export const handlers = new Map<string, Listener>()
export const ipcMain = {
  handle: (channel: string, listener: Listener) => void handlers.set(channel, listener),
}
