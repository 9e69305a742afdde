import { type Environment, loadConfig } from '../../src/config.ts'
import type { Prisma } from '../../src/db/prisma.ts'
import type { Timeouts } from '../../src/http/server.ts'
import { createLogs } from '../../src/observability/logs.ts'
import { createMetrics } from '../../src/observability/metrics.ts'
import { type OpenDatabase, openDatabase } from '../../src/open-database.ts'
import { createLocalBudget } from '../../src/rate-limit/budget.ts'
import { connectBudgets } from '../../src/rate-limit/redis.ts'
import { createService } from '../../src/service.ts'
import { type Sent, send, sendRaw } from './client.ts'
import { databaseUrlIn, removeDatabaseIn, secret } from './database.ts'
import { migrations, temporaryFolder as temporaryFolderAlone } from './folders.ts'

/** A folder of its own for each test, gone afterwards with its database. */
export async function temporaryFolder() {
  const { folder, remove } = await temporaryFolderAlone()
  return {
    folder,
    async remove() {
      await removeDatabaseIn(folder)
      await remove()
    },
  }
}

export const ndjson = (records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

export async function* chunks(text: string) {
  yield Buffer.from(text)
}

export const load = (opened: OpenDatabase, records: readonly object[], now = () => new Date()) =>
  opened.importRecords({ source: chunks(ndjson(records)), now })

/** Tests send more in a second than a limit allows in a minute; those of the limits set them. */
const testEnvironment: Environment = {
  PORT: '0',
  SALEPROOF_RATE_LIMIT: 'off',
  SALEPROOF_FAILURE_LIMIT: 'off',
  SALEPROOF_FAST_PATH: process.env.SALEPROOF_FAST_PATH,
}

interface ServiceSetup {
  records?: readonly object[]
  env?: Environment
  clock?: () => Date
  timeouts?: Timeouts
  /** A folder whose database others may use as well; a new one of its own without. */
  folder?: string
  /** Whether Prisma answers; without it only the fast path can. */
  prisma?: boolean
  /** How long an answer of Redis may take. */
  redisTimeoutMs?: number
}

/** A database whose Prisma client cannot even be touched. */
const withoutPrisma = (opened: OpenDatabase): OpenDatabase => ({
  ...opened,
  database: {
    ...opened.database,
    prisma: new Proxy({} as Prisma, {
      get() {
        throw new Error('Prisma was asked')
      },
    }),
  },
})

/** The real service on a real database, listening on a free port. `logs` are its log lines. */
export async function startService({
  records = [],
  env = {},
  clock = () => new Date(),
  timeouts,
  folder: given,
  prisma = true,
  redisTimeoutMs,
}: ServiceSetup = {}) {
  const { folder, remove } = given ? { folder: given, remove: async () => {} } : await temporaryFolder()
  const config = loadConfig({ ...testEnvironment, ...env }, { cores: 1 })
  const logs: string[] = []
  const now = () => clock().getTime()
  const output = createLogs({ level: 'info', stream: { write: (line) => void logs.push(line) }, now })
  const opened = await openDatabase({
    databaseUrl: await databaseUrlIn(folder),
    secret,
    cwd: folder,
    migrations,
    busyTimeoutMs: 50,
    clock,
    migrate: 'always',
  })
  if (records.length) await load(opened, records, clock)
  const { redisUrl } = config
  const { logger } = output
  const redis =
    redisUrl === undefined
      ? undefined
      : await connectBudgets({ url: redisUrl, logger, now, timeoutMs: redisTimeoutMs })
  const service = createService({
    config,
    opened: prisma ? opened : withoutPrisma(opened),
    logs: output,
    metrics: createMetrics(),
    budget: redis?.budget ?? ((_kind, limit) => createLocalBudget({ limit, now })),
    clock,
    now,
    timeouts,
  })
  const url = await service.start()
  return {
    url,
    opened,
    database: opened.database,
    logs,
    env,
    service,
    request: (sent: Sent) => send(url, sent),
    raw: (bytes: string | Uint8Array) => sendRaw(url, bytes),
    load: (more: readonly object[]) => load(opened, more, clock),
    async close() {
      await service.stop()
      redis?.close()
      await remove()
    },
  }
}

export type TestService = Awaited<ReturnType<typeof startService>>
