import { createRecorder } from '../../src/domain/audit-log.ts'
import { openDatabase } from '../../src/open-database.ts'
import { migrations } from './folders.ts'

// A process of its own that records as fast as it can.

const [cwd = '', actor = '', count = '0'] = process.argv.slice(2)
const clock = () => new Date()
const { database, close } = await openDatabase({
  databaseUrl: 'file:test.db',
  secret: undefined,
  cwd,
  migrations,
  busyTimeoutMs: 30_000,
  clock,
  migrate: 'when new',
})
const record = createRecorder({ clock, actor })
for (let index = 0; index < Number(count); index++)
  await database.transact((tx) => record(tx, { action: 'login', subject: String(index) }))
await close()
process.disconnect?.()
