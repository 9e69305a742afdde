import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GateStore } from '@saleproof/sdk/gate'

/** A memory that survives a restart: a small file for each code, in a folder of its own. The names are hashes. */
export const createFileStore = (folder: string): GateStore => ({
  async get(key) {
    try {
      return JSON.parse(await readFile(join(folder, `${key}.json`), 'utf8'))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    }
  },
  async set(key, entry) {
    await mkdir(folder, { recursive: true })
    // Written beside and renamed: a reader never sees half a file.
    const beside = join(folder, `${key}.${crypto.randomUUID()}.tmp`)
    await writeFile(beside, JSON.stringify(entry), { mode: 0o600 })
    await rename(beside, join(folder, `${key}.json`))
  },
})
