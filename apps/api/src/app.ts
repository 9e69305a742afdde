import Router from '@koa/router'
import Koa from 'koa'
import { type AdminImportOptions, mountAdminImport } from './api/admin-import.ts'
import { allowOrigins, mountPreflights } from './api/cors.ts'
import { type HealthOptions, mountHealth } from './api/health.ts'
import { mountJwks } from './api/jwks.ts'
import { type MetricsOptions, mountMetrics } from './api/metrics.ts'
import { mountOperations, type OperationsOptions } from './api/operations.ts'
import { isConsoleApi } from './console/router.ts'
import { accessLog } from './http/access-log.ts'
import { type ErrorHandlerOptions, errorHandler } from './http/error-handler.ts'
import type { Proxies } from './http/proxies.ts'
import { publicPrefix } from './http/public-address.ts'
import type { Observe } from './http/request-event.ts'
import { type RequestIdFor, requestId } from './http/request-id.ts'
import { requireRoute } from './http/routes.ts'
import type { RequestMiddleware, RequestState } from './http/state.ts'
import { validateRequest } from './http/validate-request.ts'
import { browserPages, type ShowMissingPage } from './pages/browser-pages.ts'

export interface AppOptions extends ErrorHandlerOptions {
  requestIdFor: RequestIdFor
  observe: Observe
  proxies: Proxies
  metrics: MetricsOptions
  operations: OperationsOptions
  health: HealthOptions
  adminImport: AdminImportOptions
  mountDocs: (router: Router<RequestState>) => void
  mountConsole: (router: Router<RequestState>) => ShowMissingPage | undefined
  consoleApi: RequestMiddleware
}

/** The whole service as a Koa application, which listens to nothing: that is the server's part. */
export function createApp(options: AppOptions): Koa<RequestState> {
  const { address } = options
  const router = new Router<RequestState>({ strict: true, sensitive: true, exclusive: true })
  mountOperations(router, options.operations)
  mountPreflights(router)
  mountJwks(router, options.operations)
  mountHealth(router, options.health)
  mountAdminImport(router, options.adminImport)
  mountMetrics(router, options.metrics)
  options.mountDocs(router)
  const showMissingPage = options.mountConsole(router)
  const isRoute = (path: string) => router.match(path, 'GET').path.length > 0 || isConsoleApi(path)

  const app = new Koa<RequestState>()
  // Only errors of connections that are gone come this far, and Koa would print them whole.
  app.silent = true
  app.use(requestId(options))
  app.use(accessLog(options))
  app.use(allowOrigins({ address, apiKeys: options.operations.apiKeys }))
  app.use(errorHandler(options))
  app.use(validateRequest())
  app.use(publicPrefix(address, isRoute))
  app.use(options.consoleApi)
  app.use(browserPages({ isRoute, showMissingPage }))
  app.use(requireRoute(router))
  app.use(router.routes())
  return app
}
