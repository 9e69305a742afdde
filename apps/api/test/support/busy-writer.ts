/** Run by checkpoint.test.ts, which kills it: writes to a database on and on, and moves its log into it after every few commits. */
import Sqlite from 'better-sqlite3'
import { recordAtStart, runCheckpoint } from '../../src/db/sqlite/checkpoint.ts'

const [file = ''] = process.argv.slice(2)
const database = new Sqlite(file, { timeout: 5000 })
database.exec('PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0')
const insert = database.prepare('INSERT INTO Page VALUES (zeroblob(9000))')
recordAtStart(file)
process.send!('begun')

for (let count = 1; ; count++) {
  insert.run()
  const mode = count % 50 === 0 ? 'RESTART' : 'PASSIVE'
  if (count % 10 === 0)
    await runCheckpoint(file, async () => database.pragma(`wal_checkpoint(${mode})`), { serving: true })
  if (count % 300 === 0) database.exec('DELETE FROM Page WHERE rowid % 2')
}
