import type { Guard } from '@saleproof/sdk/guard'
import { fastify } from 'fastify'
import { guardFromEnvironment } from './guard.ts'
import { webRequest } from './web-request.ts'

export function createApp(guard: Guard) {
  const app = fastify()
  app.addHook('onRequest', async (request, reply) => {
    const decision = await guard(webRequest(request.raw))
    if (decision.allowed) return
    return reply.code(decision.status).header('Cache-Control', 'no-store').send({ error: decision.reason })
  })
  app.get('/download', async () => 'the product')
  return app
}

if (import.meta.main) await createApp(guardFromEnvironment(process.env)).listen({ port: 8080 })
