import type { ErrorCode } from '@saleproof/schema'
import type { Config } from './config.ts'
import { type ConsoleOptions, createConsole } from './console/create-console.ts'
import { consoleBuild } from './console-build.ts'
import { mountConsolePages } from './console-pages/console-pages.ts'
import type { Prisma } from './database/open-later.ts'
import { mountDocs } from './docs/docs.ts'
import { createAccounts } from './domain/accounts.ts'
import { createApiKeys } from './domain/api-keys.ts'
import { createItems } from './domain/items.ts'
import { createPurchases } from './domain/purchases.ts'
import { createHotPath, type HotPathOptions } from './hot/hot-path.ts'
import { createTroubleLog } from './hot/trouble-log.ts'
import type { AdminImportOptions } from './http/admin-import.ts'
import { createApp } from './http/app.ts'
import type { MetricsOptions } from './http/metrics.ts'
import { createProxies } from './http/proxies.ts'
import { createPublicAddress } from './http/public-address.ts'
import { createFailureLimit } from './http/rate-limit.ts'
import { createRefusals } from './http/refusals.ts'
import { createRequestIds } from './http/request-id.ts'
import { createHttpServer, type Timeouts } from './http/server.ts'
import { createLimits, type LimitsOptions, limitsOf } from './limits/limits.ts'
import type { ShareExports } from './processes/export-places.ts'
import type { Store } from './store.ts'
import { createDatabaseFigures, type DatabaseFigures } from './telemetry/database-figures.ts'
import { countVerdicts } from './telemetry/limit-figures.ts'
import type { Logs } from './telemetry/logs.ts'
import type { Metrics } from './telemetry/metrics.ts'
import type { Observation } from './telemetry/observer.ts'
import { seldom } from './telemetry/seldom.ts'
import { watchPrisma } from './telemetry/watch-prisma.ts'
import type { Tracing } from './tracing/tracing.ts'
import { createTraffic, type Traffic } from './traffic/traffic.ts'
import { version } from './version.ts'

interface ServiceOptions {
  config: Config
  store: Store
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

const createDomain = (prisma: Prisma, { store: { vault }, clock }: ServiceOptions) => ({
  apiKeys: createApiKeys({ prisma, vault, clock }),
  accounts: createAccounts({ prisma }),
  items: createItems({ prisma }),
  purchases: createPurchases({ prisma }),
})

function adminImportOf({ config, store, clock, tracing }: ServiceOptions): AdminImportOptions | undefined {
  const { adminToken: token } = config
  if (!token) return undefined
  return {
    token,
    load(source, signal) {
      const task = { source, signal, actor: 'admin-import' as const, now: clock }
      return tracing
        ? tracing.database.import((onProgress) => store.loadBeside({ ...task, onProgress }))
        : store.loadBeside(task)
    },
  }
}

function metricsOf({ config, metrics }: ServiceOptions): MetricsOptions | undefined {
  const { metricsToken: token } = config
  return token ? { token, contentType: metrics.contentType, read: metrics.read } : undefined
}

const tellOfTooMany = ({ logger }: Logs) =>
  seldom(60_000, () =>
    logger.warn('connections are closed: SALEPROOF_MAX_CONNECTIONS are open, see docs/configuration.md'),
  )

const trafficOf = ({ store, logs, now }: ServiceOptions) =>
  createTraffic({ store: store.traffic, lastUses: store.lastUses, logger: logs.logger, now })

const consoleOf = (
  { config, store, logs, clock, now, shareExports }: ServiceOptions,
  parts: Pick<
    ConsoleOptions,
    'prisma' | 'onTrouble' | 'address' | 'proxies' | 'budget' | 'readStatistics' | 'lastUses'
  >,
) =>
  createConsole({
    ...{ ...parts, clock, now, logger: logs.logger, vault: store.vault },
    ...{ write: store.write, read: store.read, shareExports },
    ...{ signInLimit: config.signInLimit, publicUrl: config.publicUrl },
    service: { version, shape: config.shape, locale: config.locale },
  })

/** Tells of each request whoever has to know. */
const observeFor =
  ({ logs, metrics, tracing }: ServiceOptions, traffic: Traffic) =>
  (observation: Observation) => {
    logs.requestLog(observation)
    metrics.observe(observation)
    traffic.observe(observation)
    tracing?.observe(observation)
  }

const watchedPrisma = ({ store, tracing }: ServiceOptions, database: DatabaseFigures) =>
  watchPrisma(store.prisma, (call, run) => {
    database.notePrismaQuery()
    return tracing ? tracing.database.call(call, run) : run()
  })

function hotPathOf(
  { config, store, logs, now }: ServiceOptions,
  { noteTrouble, ...parts }: Omit<HotPathOptions, 'lookUp'> & { noteTrouble: (error: unknown) => void },
) {
  if (!config.hotPath) return undefined
  const tell = createTroubleLog(logs.logger)
  const onTrouble = (error: unknown) => {
    noteTrouble(error)
    tell(error)
  }
  const lookUp = store.createLookUp({ defaultShape: config.shape, now, onTrouble })
  return lookUp && createHotPath({ ...parts, lookUp })
}

/** The composition root: everything that serves is made and joined here. */
export function createService(options: ServiceOptions) {
  const { config, store, logs, metrics, now, timeouts, tracing } = options
  const { locale } = config
  store.attend(logs.logger)
  let listening = ''
  let [stopping, ending] = [false, false]
  const traffic = trafficOf(options)
  const observe = observeFor(options, traffic)
  const requestIdFor = createRequestIds()
  const proxies = createProxies(config.trustProxy)
  const address = createPublicAddress({ publicUrl: config.publicUrl, listening: () => listening, proxies })
  const counted = countVerdicts(options.budget)
  const limits = createLimits({ limits: limitsOf(config), budget: counted.budget, now })
  const database = createDatabaseFigures()
  const onTrouble = database.noteTrouble
  const prisma = watchedPrisma(options, database)
  const defaults = { shape: config.shape, locale }
  const hotPath = hotPathOf(options, {
    ...{ defaults, limits, proxies, address, requestIdFor, observe, noteTrouble: onTrouble },
    stopping: () => ending,
  })
  const app = createApp({
    ...{ locale, address, requestIdFor, observe, logger: logs.logger, hotPath: hotPath?.middleware },
    failureLimit: createFailureLimit({ limits, proxies }),
    onTrouble,
    ending: () => ending,
    operations: { ...createDomain(prisma, options), limits, proxies, defaults },
    health: { stopping: () => stopping, soundness: store.soundness },
    adminImport: adminImportOf(options),
    metrics: metricsOf(options),
    mountDocs: (router) => mountDocs(router, { publicUrl: () => config.publicUrl ?? listening, version }),
    mountConsole: (router) => mountConsolePages(router, { folder: consoleBuild }),
    consoleApi: consoleOf(options, {
      ...{ prisma, onTrouble, address, proxies, budget: counted.budget },
      readStatistics: traffic.readStatistics,
      lastUses: traffic.readLastUses,
    }),
  })
  const errorPage = (code: ErrorCode) => `${config.publicUrl ?? listening}/docs/errors#${code}`
  const server = createHttpServer({
    handle: tracing ? tracing.around(app.callback()) : app.callback(),
    refusal: createRefusals({ observe, requestIdFor, locale, errorPage }),
    timeouts,
    maxConnections: config.maxConnections,
    onTooMany: tellOfTooMany(logs),
  })
  const { connections } = server
  const figures = { limits: counted.figures, spans: tracing?.figures }
  metrics.watch({ ...figures, sizes: store.sizes, database, hotPath, connections })
  async function letGo() {
    hotPath?.close()
    await traffic.close()
    await store.close()
  }
  return {
    /** Starts to listen and gives the address. Where it cannot, nothing is left open: a connection would keep the process. */
    async start(): Promise<string> {
      try {
        listening = await server.listen(config)
      } catch (error) {
        await letGo()
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
      await letGo()
    },
  }
}

export type Service = ReturnType<typeof createService>
