/**
 * Run by tests that kill it: imports a file into a database and says when it begins to copy. With a phase it kills itself there, at the same
 * place each time.
 */
import { createReadStream, readFileSync, writeSync } from 'node:fs'
import { createKeyVault } from '../../src/crypto/key-vault.ts'
import { importRecords } from '../../src/import-export/import.ts'
import { readMarketbob } from '../../src/import-export/sql-dump/marketbob.ts'

const [databaseFile = '', file = '', secret = '', phase = '', choices] = process.argv.slice(2)

function reach(reached: string) {
  if (reached === phase) process.kill(process.pid, 'SIGKILL')
}

async function* readDump() {
  const options = { baseUrl: 'https://shop.example.com', timeZone: 'UTC', omitted: new Map() }
  for await (const records of readMarketbob({ ...options, open: () => createReadStream(file) }))
    yield Buffer.from(records.map(({ record }) => `${JSON.stringify(record)}\n`).join(''))
}

async function* source() {
  let pieces = 0
  for await (const piece of file.endsWith('.sql') ? readDump() : createReadStream(file)) {
    yield piece
    pieces += 1
    if (pieces === 3) reach('reading')
  }
  reach('staged')
}

await importRecords({
  source: source(),
  databaseFile,
  vault: createKeyVault(secret),
  now: () => new Date(),
  ...(choices && { sales: JSON.parse(readFileSync(choices, 'utf8')) }),
  beforeCopy() {
    reach('checked')
    writeSync(1, 'copying')
    // Each statement of the copy waits for a turn of the event loop; the commit, after all rows, comes later than this.
    if (phase === 'copying') setTimeout(() => reach('copying'), 10)
  },
})
reach('stored')
writeSync(1, 'done')
