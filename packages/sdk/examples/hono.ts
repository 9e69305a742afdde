import type { Guard } from '@saleproof/sdk/guard'
import { Hono } from 'hono'

/** Runs wherever Hono does: `export default createApp(guard)`. */
export function createApp(guard: Guard) {
  const app = new Hono()
  app.use('/download', async (context, next) => {
    const decision = await guard(context.req.raw)
    if (!decision.allowed) return decision.response()
    await next()
  })
  app.get('/download', (context) => context.text('the product'))
  return app
}
