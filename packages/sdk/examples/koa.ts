import type { Guard } from '@saleproof/sdk/guard'
import Koa from 'koa'
import { guardFromEnvironment } from './guard.ts'
import { webRequest } from './web-request.ts'

export function createApp(guard: Guard) {
  const app = new Koa()
  app.use(async (context, next) => {
    const decision = await guard(webRequest(context.req))
    if (decision.allowed) return next()
    context.status = decision.status
    context.set('Cache-Control', 'no-store')
    context.body = { error: decision.reason }
  })
  app.use((context) => {
    context.body = 'the product'
  })
  return app
}

if (import.meta.main) createApp(guardFromEnvironment(process.env)).listen(8080)
