import { restoreBackup } from '../../src/maintenance/backup/restore-backup.ts'
import { migrations } from '../support/folders.ts'

// Restores one backup after the other until it is killed.
const [databaseFile = '', ...sources] = process.argv.slice(2)
const began = performance.now()
let count = 0
// A time of its own for each: what is kept is named by it.
const clock = () => new Date(Date.UTC(2026, 0, 1) + process.pid * 100_000 + count)
for (;;) {
  const source = sources[count++ % sources.length]!
  await restoreBackup({ databaseFile, source, migrations, secret: undefined, force: true, clock })
  // How long one takes here, in milliseconds.
  if (count === 1) process.stdout.write(`${performance.now() - began}\n`)
}
