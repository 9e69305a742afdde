/** Run by interrupted.test.ts, which kills it: imports a file into a database and says when it begins to copy. */
import { createReadStream, writeSync } from 'node:fs'
import { createKeyVault } from '../../src/crypto/key-vault.ts'
import { importRecords } from '../../src/import-export/import.ts'

const [databaseFile = '', file = '', secret = ''] = process.argv.slice(2)

await importRecords({
  source: createReadStream(file),
  databaseFile,
  vault: createKeyVault(secret),
  now: () => new Date(),
  // Synchronous: after this call the copy begins and nothing else of this process runs.
  beforeCopy: () => void writeSync(1, 'copying'),
})
writeSync(1, 'done')
