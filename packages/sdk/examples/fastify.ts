import type { Purchase } from '@saleproof/sdk'
import type { Gate } from '@saleproof/sdk/gate'
import { fastifyGuard } from '@saleproof/sdk/node'
import { fastify } from 'fastify'
import { gateFromEnvironment } from './guard.ts'

declare module 'fastify' {
  interface FastifyRequest {
    purchase?: Purchase
  }
}

export function createApp(gate: Gate) {
  const app = fastify()
  app.addHook('onRequest', fastifyGuard({ gate, itemId: 101 }))
  app.get('/download', async (request, reply) => {
    reply.header('X-License', request.purchase?.license_type)
    return 'the product'
  })
  return app
}

if (import.meta.main) await createApp(gateFromEnvironment(process.env)).listen({ port: 8080 })
