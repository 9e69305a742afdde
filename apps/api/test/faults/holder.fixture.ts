/** Run as a process of its own: takes a database for itself as far as it can get it, says so, and keeps it until it is killed. */
import Sqlite from 'better-sqlite3'

const [file = ''] = process.argv.slice(2)

function take(mode: 'EXCLUSIVE' | 'NORMAL') {
  const database = new Sqlite(file, { timeout: 1000 })
  database.exec(`PRAGMA locking_mode = ${mode}; BEGIN EXCLUSIVE`)
}

try {
  take('EXCLUSIVE')
} catch {
  // Not while others have it open: then the lock of the writers is all there is.
  take('NORMAL')
}
process.send!('held')
setInterval(() => {}, 1000)
