import type { ErrorCode } from '@saleproof/schema'
import type { Config } from './config.ts'
import { mountDocs } from './docs/docs.ts'
import { createAccounts } from './domain/accounts.ts'
import { createApiKeys } from './domain/api-keys.ts'
import { createItems } from './domain/items.ts'
import { createPurchases } from './domain/purchases.ts'
import { createHotPath } from './hot/hot-path.ts'
import { createApp } from './http/app.ts'
import { createProxies } from './http/proxies.ts'
import { createPublicAddress } from './http/public-address.ts'
import { createFailureLimit } from './http/rate-limit.ts'
import { createRefusals } from './http/refusals.ts'
import { createRequestIds } from './http/request-id.ts'
import { createHttpServer, type Timeouts } from './http/server.ts'
import { createLimits, type LimitsOptions } from './limits/limits.ts'
import type { Store } from './store.ts'
import type { Logs } from './telemetry/logs.ts'
import type { Metrics } from './telemetry/metrics.ts'
import type { Observation } from './telemetry/observer.ts'
import { createKeyUse } from './traffic/key-use.ts'
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
}

/** The composition root: everything that serves is made and joined here. */
export function createService({
  config,
  store,
  logs,
  metrics,
  budget,
  clock,
  now,
  timeouts,
}: ServiceOptions) {
  const { prisma, vault } = store
  const { locale, rateLimit, failureLimit } = config
  let listening = ''
  let stopping = false
  const isStopping = () => stopping
  const observe = (observation: Observation) => {
    logs.requestLog(observation)
    metrics.observe(observation)
    keyUse.observe(observation)
  }
  const requestIdFor = createRequestIds()
  const keyUse = createKeyUse({ databaseFile: store.databaseFile, logger: logs.logger, now })
  const proxies = createProxies(config.trustProxy)
  const address = createPublicAddress({ publicUrl: config.publicUrl, listening: () => listening, proxies })
  const limits = createLimits({ rateLimit, failureLimit, budget, now })
  const defaults = { shape: config.shape, locale }
  const hotPath = config.hotPath
    ? createHotPath({
        ...{ defaults, limits, proxies, address, requestIdFor, observe },
        lookUp: store.createLookUp({ defaultShape: config.shape, now }),
        stopping: isStopping,
      })
    : undefined
  const app = createApp({
    ...{ locale, address, requestIdFor, observe, logger: logs.logger, hotPath: hotPath?.middleware },
    failureLimit: createFailureLimit({ limits, proxies }),
    operations: {
      apiKeys: createApiKeys({ prisma, vault, clock }),
      accounts: createAccounts({ prisma }),
      items: createItems({ prisma }),
      purchases: createPurchases({ prisma }),
      ...{ limits, proxies, defaults },
    },
    health: {
      stopping: isStopping,
      checks: { database: store.answers },
    },
    adminImport: config.adminToken
      ? {
          token: config.adminToken,
          load: (source, signal) => store.loadBeside({ source, signal, now: clock }),
        }
      : undefined,
    metrics: config.metricsToken
      ? { token: config.metricsToken, contentType: metrics.contentType, read: metrics.read }
      : undefined,
    mountDocs: (router) => mountDocs(router, { publicUrl: () => config.publicUrl ?? listening, version }),
  })
  const errorPage = (code: ErrorCode) => `${config.publicUrl ?? listening}/docs/errors#${code}`
  const server = createHttpServer({
    handle: app.callback(),
    refusal: createRefusals({ observe, requestIdFor, locale, errorPage }),
    timeouts,
  })
  return {
    /** Starts to listen and gives the address. */
    async start(): Promise<string> {
      listening = await server.listen(config)
      return listening
    },
    /** Finishes what is under way, then closes everything. */
    async stop() {
      stopping = true
      await server.stop()
      hotPath?.close()
      keyUse.close()
      await store.close()
    },
  }
}

export type Service = ReturnType<typeof createService>
