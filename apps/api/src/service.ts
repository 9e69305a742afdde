import type { AdminImportOptions } from './api/admin-import.ts'
import { createErrorLog } from './api/fast-path/error-log.ts'
import { createFastPath, type FastPathOptions } from './api/fast-path/fast-path.ts'
import type { MetricsOptions } from './api/metrics.ts'
import { createErrorLimit } from './api/rate-limit.ts'
import { createApp } from './app.ts'
import type { ShareExports } from './cluster/export-semaphore.ts'
import type { Config } from './config.ts'
import { createConsole } from './console/console.ts'
import type { ConsoleOptions } from './console/handler.ts'
import { callPrisma, type Prisma, proxyPrisma } from './db/prisma.ts'
import { createAccounts } from './domain/accounts.ts'
import { createApiKeys } from './domain/api-keys.ts'
import { createItems } from './domain/items.ts'
import { createPurchases } from './domain/purchases.ts'
import { createProxies } from './http/proxies.ts'
import { createPublicAddress } from './http/public-address.ts'
import { createRawErrorResponse } from './http/raw-error-response.ts'
import { createRequestIds } from './http/request-id.ts'
import { createHttpServer, type Timeouts } from './http/server.ts'
import { createDatabaseStats, type DatabaseStats } from './observability/database-stats.ts'
import { countLimitResults } from './observability/limit-stats.ts'
import type { Logs } from './observability/logs.ts'
import type { Metrics } from './observability/metrics.ts'
import type { RequestEvent } from './observability/observer.ts'
import { throttle } from './observability/throttle.ts'
import type { Tracing } from './observability/tracing/tracing.ts'
import type { OpenDatabase } from './open-database.ts'
import { mountConsolePages } from './pages/console/console-pages.ts'
import { consoleBuild } from './pages/console-build.ts'
import { mountDocs } from './pages/docs/docs.ts'
import { createLimits, type LimitsOptions, limitsOf } from './rate-limit/limits.ts'
import { createUsage, type Usage } from './usage/usage.ts'
import { version } from './version.ts'

interface ServiceOptions {
  config: Config
  database: OpenDatabase
  logs: Logs
  metrics: Metrics
  /** Makes the budget of a limit, shared with the other processes of the service. */
  budget: LimitsOptions['budget']
  clock: () => Date
  /** What the clock says in milliseconds since 1970: to make a date for each question of each request costs too much. */
  now: () => number
  timeouts?: Timeouts | undefined
  /** Places for exports of the console over all processes of the service. */
  shareExports?: ShareExports | undefined
  /** Waits until nobody holds the socket open who does not accept from it. */
  ownSocket?: (() => Promise<void>) | undefined
  /** Makes spans of requests and what they have the database do. */
  tracing?: Tracing | undefined
}

const createDomain = (prisma: Prisma, { database: { vault }, clock }: ServiceOptions) => ({
  apiKeys: createApiKeys({ prisma, vault, clock }),
  accounts: createAccounts({ prisma }),
  items: createItems({ prisma }),
  purchases: createPurchases({ prisma }),
})

function adminImportOf({ config, database, clock, tracing }: ServiceOptions): AdminImportOptions | undefined {
  const { adminToken: token } = config
  if (!token) return undefined
  return {
    token,
    load(source, signal) {
      const task = { source, signal, actor: 'admin-import' as const, now: clock }
      return tracing
        ? tracing.database.import((onProgress) => database.importInWorker({ ...task, onProgress }))
        : database.importInWorker(task)
    },
  }
}

function metricsOf({ config, metrics }: ServiceOptions): MetricsOptions | undefined {
  const { metricsToken: token } = config
  return token ? { token, contentType: metrics.contentType, read: metrics.read } : undefined
}

const tellOfTooMany = ({ logger }: Logs) =>
  throttle(60_000, () =>
    logger.warn('connections are closed: SALEPROOF_MAX_CONNECTIONS are open, see docs/configuration.md'),
  )

const usageOf = ({ database, logs, now }: ServiceOptions) =>
  createUsage({ store: database.usage, lastUses: database.lastUses, logger: logs.logger, now })

const consoleOf = (
  { config, database, logs, clock, now, shareExports }: ServiceOptions,
  parts: Pick<
    ConsoleOptions,
    'prisma' | 'onError' | 'address' | 'proxies' | 'budget' | 'readStatistics' | 'lastUses'
  >,
) =>
  createConsole({
    ...{ ...parts, clock, now, logger: logs.logger, vault: database.vault },
    ...{ write: database.write, read: database.read, shareExports },
    ...{ signInLimit: config.signInLimit, publicUrl: config.publicUrl },
    service: { version, shape: config.shape, locale: config.locale },
  })

/** Tells of each request whoever has to know. */
const observeFor =
  ({ logs, metrics, tracing }: ServiceOptions, traffic: Usage) =>
  (event: RequestEvent) => {
    logs.requestLog(event)
    metrics.observe(event)
    traffic.observe(event)
    tracing?.observe(event)
  }

const watchedPrisma = ({ database, tracing }: ServiceOptions, databaseStats: DatabaseStats) =>
  proxyPrisma((call, args) => {
    databaseStats.notePrismaQuery()
    const run = () => callPrisma(database.prisma, call, args)
    return tracing ? tracing.database.call(call, run) : run()
  })

function fastPathOf(
  { config, database, logs, now }: ServiceOptions,
  { recordError, ...parts }: Omit<FastPathOptions, 'resolver'> & { recordError: (error: unknown) => void },
) {
  if (!config.fastPath) return undefined
  const tell = createErrorLog(logs.logger)
  const onError = (error: unknown) => {
    recordError(error)
    tell(error)
  }
  const resolver = database.createResolver({ defaultShape: config.shape, now, onError })
  return resolver && createFastPath({ ...parts, resolver })
}

/** The composition root: everything that serves is made and joined here. */
export function createService(options: ServiceOptions) {
  const { config, database, logs, metrics, now, timeouts, tracing } = options
  const { locale } = config
  database.startMonitoring(logs.logger)
  let listening = ''
  let [stopping, ending] = [false, false]
  const traffic = usageOf(options)
  const observe = observeFor(options, traffic)
  const requestIdFor = createRequestIds()
  const proxies = createProxies(config.trustProxy)
  const address = createPublicAddress({ publicUrl: config.publicUrl, listening: () => listening, proxies })
  const counted = countLimitResults(options.budget)
  const limits = createLimits({ limits: limitsOf(config), budget: counted.budget, now })
  const databaseStats = createDatabaseStats()
  const onError = databaseStats.recordError
  const prisma = watchedPrisma(options, databaseStats)
  const defaults = { shape: config.shape, locale }
  const fastPath = fastPathOf(options, {
    ...{ defaults, limits, proxies, address, requestIdFor, observe, recordError: onError },
    draining: () => ending,
  })
  const app = createApp({
    ...{ locale, address, requestIdFor, observe, logger: logs.logger, fastPath: fastPath?.middleware },
    limitErrors: createErrorLimit({ limits, proxies }),
    onError,
    draining: () => ending,
    operations: { ...createDomain(prisma, options), limits, proxies, defaults },
    health: { stopping: () => stopping, health: database.health },
    adminImport: adminImportOf(options),
    metrics: metricsOf(options),
    mountDocs: (router) => mountDocs(router, { publicUrl: () => config.publicUrl ?? listening, version }),
    mountConsole: (router) => mountConsolePages(router, { folder: consoleBuild }),
    consoleApi: consoleOf(options, {
      ...{ prisma, onError, address, proxies, budget: counted.budget },
      readStatistics: traffic.readStatistics,
      lastUses: traffic.readLastUses,
    }),
  })
  const server = createHttpServer({
    handle: tracing ? tracing.around(app.callback()) : app.callback(),
    refusal: createRawErrorResponse({ observe, requestIdFor, locale, address }),
    timeouts,
    maxConnections: config.maxConnections,
    onTooMany: tellOfTooMany(logs),
  })
  const { connections } = server
  const figures = { limits: counted.figures, spans: tracing?.figures }
  metrics.watch({ ...figures, sizes: database.sizes, database: databaseStats, fastPath, connections })
  async function closeAll() {
    fastPath?.close()
    await traffic.close()
    await database.close()
  }
  return {
    /** Starts to listen and gives the address. Where it cannot, nothing is left open: a connection would keep the process. */
    async start(): Promise<string> {
      try {
        listening = await server.listen(config)
      } catch (error) {
        await closeAll()
        throw error
      }
      return listening
    },
    /** Finishes what is under way, then closes everything. */
    async stop() {
      stopping = true
      await options.ownSocket?.()
      await server.stopListening()
      // Only now are callers sent away: before, they would come back to be cut when this process stops listening.
      ending = true
      await server.stop()
      await closeAll()
    },
  }
}

export type Service = ReturnType<typeof createService>
