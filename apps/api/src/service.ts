import { createFastPath } from './api/fast-path/fast-path.ts'
import { createPassSigners } from './api/passes.ts'
import { createErrorLimit } from './api/rate-limit.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { createConsole } from './console/console.ts'
import { createAccounts } from './domain/accounts.ts'
import { createApiKeys } from './domain/api-keys.ts'
import { createAuditRetention } from './domain/audit-retention.ts'
import { createItems } from './domain/items.ts'
import { createPurchases } from './domain/purchases.ts'
import { createSigningKeyFinder } from './domain/signing-keys.ts'
import { createProxies } from './http/proxies.ts'
import { createPublicAddress } from './http/public-address.ts'
import { createRawErrorResponse } from './http/raw-error-response.ts'
import type { RequestEvent } from './http/request-event.ts'
import { createRequestIds } from './http/request-id.ts'
import { createHttpServer, type Timeouts } from './http/server.ts'
import { createErrorLog } from './observability/error-log.ts'
import type { Logs } from './observability/logs.ts'
import type { Metrics } from './observability/metrics.ts'
import { createDatabaseStats, measureService } from './observability/service-metrics.ts'
import { throttle } from './observability/throttle.ts'
import type { Tracing } from './observability/tracing/tracing.ts'
import type { OpenDatabase } from './open-database.ts'
import { version } from './package.ts'
import { consoleBuild, mountConsolePages } from './pages/console/console-pages.ts'
import { mountDocs } from './pages/docs/docs.ts'
import { countLimitResults, createLimits, type LimitsOptions, readLimits } from './rate-limit/limits.ts'
import { createUsage } from './usage/usage.ts'

export interface ServiceOptions {
  config: Config
  opened: OpenDatabase
  logs: Logs
  metrics: Metrics
  /** Makes the budget of a limit, shared with the other processes of the service. */
  budget: LimitsOptions['budget']
  clock: () => Date
  /** The clock in milliseconds since 1970: a `Date` for each use in a request costs too much. */
  now: () => number
  timeouts?: Timeouts | undefined
  /** Resolves once the primary has closed its copy of the listening socket. */
  releaseSocket?: (() => Promise<void>) | undefined
  tracing?: Tracing | undefined
}

/** The composition root: makes and connects everything that serves. */
export function createService(options: ServiceOptions) {
  const { config, opened, logs, metrics, clock, now, tracing } = options
  const { publicUrl, locale, shape } = config
  const { database, monitoring, vault } = opened
  const { logger } = logs
  let listening = ''
  let stopping = false
  let draining = false
  const databaseStats = createDatabaseStats()
  const { prisma } = database
  monitoring.start({
    logger,
    around(call, run) {
      databaseStats.recordPrismaQuery()
      return tracing ? tracing.database(call, run) : run()
    },
  })

  const usage = createUsage({
    store: opened.usage,
    vault,
    logger,
    now,
  })
  const auditRetention = createAuditRetention({ database, days: config.auditRetention, clock, logger })
  /** Reports each request to logs, metrics, usage and tracing. */
  function observe(event: RequestEvent) {
    logs.requestLog(event)
    metrics.observe(event)
    usage.observe(event)
    tracing?.observe(event)
  }

  const proxies = createProxies(config.trustProxy)
  const address = createPublicAddress({ publicUrl, listening: () => listening, proxies })
  const { budget, stats: limitStats } = countLimitResults(options.budget)
  const limits = createLimits({ limits: readLimits(config), budget, now, knownCodes: usage.knownCodes })
  const shared = {
    address,
    proxies,
    limits,
    observe,
    logger,
    locale,
    defaults: { shape, locale },
    requestIdFor: createRequestIds(vault.hashRequestId),
    draining: () => draining,
    onError: databaseStats.recordError,
  }

  const openSigner = createPassSigners({ vault, now })
  const logError = createErrorLog(logger)
  const resolver = config.fastPath
    ? opened.createResolver({
        defaultShape: shape,
        now,
        openSigner,
        onError(error) {
          databaseStats.recordError(error)
          logError(error)
        },
      })
    : undefined
  const fastPath = resolver && createFastPath({ ...shared, resolver })

  function importRecords(request: Omit<Parameters<typeof opened.importRecords>[0], 'now'>) {
    const run = () => opened.importRecords({ ...request, now: clock })
    return tracing ? tracing.database({ model: undefined, operation: 'import' }, run) : run()
  }

  const app = createApp({
    ...shared,
    limitErrors: createErrorLimit(shared),
    operations: {
      ...shared,
      apiKeys: createApiKeys({ prisma, vault, clock }),
      accounts: createAccounts({ prisma }),
      items: createItems({ prisma }),
      purchases: createPurchases({ prisma }),
      signingKeys: createSigningKeyFinder({ prisma, clock }),
      openSigner,
      now,
    },
    health: { stopping: () => stopping, health: () => monitoring.health(resolver?.ask) },
    metrics: { token: config.metricsToken, read: metrics.read },
    adminImport: {
      token: config.adminToken,
      load: (source, signal) => importRecords({ source, signal, actor: 'admin-import' }),
    },
    mountDocs: (router) => mountDocs(router, { publicUrl: () => address.of(), version }),
    mountConsole: (router) => mountConsolePages(router, { folder: consoleBuild }),
    consoleApi: createConsole({
      ...shared,
      database,
      vault,
      usage,
      clock,
      signIns: { limit: config.signInLimit, budget },
      importRecords,
      service: { version, shape, locale },
    }),
  })

  const routes = app.callback()
  const handle = fastPath?.inFrontOf(routes) ?? routes
  const warnAtLimit = (reason: string) =>
    throttle(60_000, () => logger.warn(`connections are closed: ${reason}, see docs/configuration.md`))
  const server = createHttpServer({
    handle: tracing ? tracing.around(handle) : handle,
    rawErrorResponse: createRawErrorResponse(shared),
    timeouts: options.timeouts,
    maxConnections: config.maxConnections,
    isProxy: proxies.isProxy,
    onLimit: {
      all: warnAtLimit('SALEPROOF_MAX_CONNECTIONS are open'),
      address: warnAtLimit('one address has half of SALEPROOF_MAX_CONNECTIONS (name proxies in TRUST_PROXY)'),
    },
  })
  measureService(metrics.registry, {
    limits: limitStats,
    spans: tracing?.stats,
    sizes: monitoring.sizes,
    database: databaseStats,
    fastPath,
    connections: server.connections,
  })

  async function close() {
    fastPath?.close()
    await usage.close()
    await auditRetention.close()
    await opened.close()
  }

  return {
    /** Starts to listen and returns the address. On failure closes everything: an open connection would keep the process. */
    async start(): Promise<string> {
      try {
        listening = await server.listen(config)
      } catch (error) {
        await close()
        throw error
      }
      return listening
    },
    /** Finishes the requests under way, then closes everything. */
    async stop() {
      stopping = true
      await options.releaseSocket?.()
      await server.stopListening()
      // Clients are sent away only now: before, they would come back and be cut off when this process stops listening.
      draining = true
      await server.stop()
      await close()
    },
  }
}

export type Service = ReturnType<typeof createService>
