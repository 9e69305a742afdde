import Router from '@koa/router'
import type { Locale } from '@saleproof/schema'
import Koa from 'koa'
import type { Logger } from 'pino'
import { type AdminImportOptions, mountAdminImport } from './api/admin-import.ts'
import { type HealthOptions, mountHealth } from './api/health.ts'
import { type MetricsOptions, mountMetrics } from './api/metrics.ts'
import { mountOperations, type OperationsOptions } from './api/operations.ts'
import type { FailureLimit } from './api/rate-limit.ts'
import { isConsoleApi } from './console/router.ts'
import { accessLog } from './http/access-log.ts'
import { lastAnswers } from './http/close-when-draining.ts'
import { failures } from './http/error-handler.ts'
import { type PublicAddress, publicPrefix } from './http/public-address.ts'
import { type RequestIdFor, requestId } from './http/request-id.ts'
import { requireRoute } from './http/routes.ts'
import type { RequestMiddleware, RequestState } from './http/state.ts'
import { limits } from './http/validate-request.ts'
import type { Observe } from './observability/observer.ts'

export interface AppOptions {
  /** Answers plain requests before everything else; the service is complete without it. */
  fastPath: RequestMiddleware | undefined
  requestIdFor: RequestIdFor
  observe: Observe
  /** Whether a failure is one too many. */
  failureLimit: FailureLimit
  /** Told of each error of the database that an answer fails for. */
  onError: (error: unknown) => void
  metrics: MetricsOptions | undefined
  logger: Logger
  locale: Locale
  address: PublicAddress
  operations: OperationsOptions
  health: HealthOptions
  /** Whether each answer is the last of its connection. */
  ending: () => boolean
  adminImport: AdminImportOptions | undefined
  mountDocs: (router: Router<RequestState>) => void
  mountConsole: (router: Router<RequestState>) => void
  /** Answers everything below `/console/api`. */
  consoleApi: RequestMiddleware
}

/** The whole service as a Koa application. It listens to nothing: that is the server's part. */
export function createApp(options: AppOptions): Koa<RequestState> {
  const { logger, locale, address } = options
  const router = new Router<RequestState>({ strict: true, sensitive: true, exclusive: true })
  mountOperations(router, options.operations)
  mountHealth(router, options.health)
  if (options.adminImport) mountAdminImport(router, options.adminImport)
  if (options.metrics) mountMetrics(router, options.metrics)
  options.mountDocs(router)
  options.mountConsole(router)

  const app = new Koa<RequestState>()
  // Nothing thrown comes this far but failures of a connection that is gone, and Koa's own handler prints whole errors.
  app.silent = true
  if (options.fastPath) app.use(options.fastPath)
  app.use(requestId({ requestIdFor: options.requestIdFor }))
  app.use(accessLog({ observe: options.observe }))
  app.use(lastAnswers({ ending: options.ending }))
  app.use(
    failures({
      logger,
      locale,
      limited: options.failureLimit,
      onError: options.onError,
      errorPage: (code, ctx) => `${address.of(ctx.req)}/docs/errors#${code}`,
    }),
  )
  app.use(limits())
  const isRoute = (path: string) => router.match(path, 'GET').path.length > 0 || isConsoleApi(path)
  app.use(publicPrefix(address, isRoute))
  app.use(options.consoleApi)
  app.use(requireRoute(router))
  app.use(router.routes())
  return app
}
