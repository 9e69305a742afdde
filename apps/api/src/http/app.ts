import Router from '@koa/router'
import type { Locale } from '@saleproof/schema'
import Koa from 'koa'
import type { Logger } from 'pino'
import { accessLog } from './access-log.ts'
import { type AdminImportOptions, mountAdminImport } from './admin-import.ts'
import { failures } from './failures.ts'
import { type HealthOptions, mountHealth } from './health.ts'
import { limits } from './limits.ts'
import { mountOperations, type OperationsOptions } from './operations.ts'
import { type PublicAddress, publicPrefix } from './public-address.ts'
import { requestId } from './request-id.ts'
import { requireRoute } from './routes.ts'
import type { RequestState } from './state.ts'

export interface AppOptions {
  logger: Logger
  locale: Locale
  address: PublicAddress
  operations: OperationsOptions
  health: HealthOptions
  adminImport: AdminImportOptions | undefined
  mountDocs: (router: Router<RequestState>) => void
}

/** The whole service as a Koa application. It listens to nothing: that is the server's part. */
export function createApp(options: AppOptions): Koa<RequestState> {
  const { logger, locale, address } = options
  const router = new Router<RequestState>({ strict: true, sensitive: true, exclusive: true })
  mountOperations(router, options.operations)
  mountHealth(router, options.health)
  if (options.adminImport) mountAdminImport(router, options.adminImport)
  options.mountDocs(router)

  const app = new Koa<RequestState>()
  // Nothing thrown comes this far but failures of a connection that is gone, and Koa's own handler prints whole errors.
  app.silent = true
  app.use(requestId())
  app.use(accessLog({ logger }))
  app.use(
    failures({ logger, locale, errorPage: (code, ctx) => `${address.of(ctx.req)}/docs/errors#${code}` }),
  )
  app.use(limits())
  app.use(publicPrefix(address))
  app.use(requireRoute(router))
  app.use(router.routes())
  return app
}
