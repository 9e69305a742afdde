import { inTransaction } from '../db/prisma.ts'
import { migrations } from '../db/sqlite/testing.ts'
import { openDatabase } from '../open-database.ts'
import { createRecorder } from './append.ts'

// A process of its own that records as fast as it can.

const [cwd = '', actor = '', count = '0'] = process.argv.slice(2)
const clock = () => new Date()
const { prisma, vault, close } = await openDatabase({
  ...{ databaseUrl: 'file:test.db', secret: undefined, cwd, migrations },
  ...{ busyTimeoutMs: 30_000, clock, migrate: 'when new' },
})
const record = createRecorder({ vault, clock, actor })
for (let index = 0; index < Number(count); index++)
  await inTransaction(prisma, (tx) => record(tx, { action: 'login', subject: String(index) }))
await close()
process.disconnect?.()
