/** Run by files.test.ts, which kills it: writes to a database on and on, and moves its log into it after every few commits. */
import Sqlite from 'better-sqlite3'

const [file = ''] = process.argv.slice(2)
const database = new Sqlite(file, { timeout: 5000 })
database.exec('PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 20')
const insert = database.prepare('INSERT INTO Page VALUES (zeroblob(9000))')
process.send!('begun')

for (let count = 1; ; count++) {
  insert.run()
  if (count % 50 === 0) database.pragma('wal_checkpoint(RESTART)')
  if (count % 300 === 0) database.exec('DELETE FROM Page WHERE rowid % 2')
}
