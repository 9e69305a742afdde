/**
 * Run by exactness.test.ts as a process of its own: writes to the shop on command, and serves it by Prisma alone, which keeps
 * nothing, so that it can be asked what the answer has to be.
 */
import { join } from 'node:path'
import { loadConfig } from '../../src/config.ts'
import { createLogs } from '../../src/observability/logs.ts'
import { createMetrics } from '../../src/observability/metrics.ts'
import { openDatabase } from '../../src/open-database.ts'
import { createLocalBudget } from '../../src/rate-limit/budget.ts'
import { createService } from '../../src/service.ts'
import { createWire, type WireAnswer } from '../support/client.ts'
import { environment, probes } from './shop.ts'
import { createWrites } from './writes.ts'

/** What all answers were after a write that began and ended at these times of the machine's monotonic clock. */
export interface State {
  began: number
  ended: number
  write: string
  answers: WireAnswer[]
}

export type Order = { order: 'write'; pattern?: string } | { order: 'run'; writes: number }
export type Report = { url: string } | { write: string } | { states: State[] }

const [folder = '', seed = '0', databaseUrl = '', secret] = process.argv.slice(2)
const clock = () => new Date()
const now = () => Date.now()

const opened = await openDatabase({
  databaseUrl,
  secret,
  cwd: folder,
  clock,
  migrate: 'always',
  migrations: join(import.meta.dirname, '../../prisma/migrations'),
  busyTimeoutMs: 5000,
})
const service = createService({
  config: loadConfig({ ...environment, SALEPROOF_FAST_PATH: 'off' }, { cores: 1 }),
  opened,
  clock,
  now: Date.now,
  metrics: createMetrics(),
  logs: createLogs({ level: 'silent', stream: { write() {} }, now }),
  budget: (_kind, limit) => createLocalBudget({ limit, now }),
})
const url = await service.start()
const wire = createWire(url)
const write = createWrites(opened, Number(seed))
const time = () => Number(process.hrtime.bigint()) / 1e6
const answersNow = () => Promise.all(probes.map(wire.ask))

/** Writes so many times, and notes after each write what all answers are, before the next one begins. */
async function run(writes: number): Promise<State[]> {
  const states: State[] = [{ began: 0, ended: 0, write: 'none', answers: await answersNow() }]
  while (states.length <= writes) {
    const began = time()
    const name = await write()
    states.push({ began, ended: time(), write: name, answers: await answersNow() })
  }
  return states
}

const report = (message: Report) => process.send!(message)

process.on('message', async (message: Order) => {
  if (message.order === 'write') report({ write: await write(message.pattern) })
  else report({ states: await run(message.writes) })
})
process.on('disconnect', () => process.exit())
report({ url })
