import type { Gate } from '@saleproof/sdk/gate'
import { fastifyGuard } from '@saleproof/sdk/node'
import { fastify } from 'fastify'
import { gateFromEnvironment } from './guard.ts'

export function createApp(gate: Gate) {
  const app = fastify()
  app.addHook('onRequest', fastifyGuard({ gate, itemId: 101 }))
  app.get('/download', async () => 'the product')
  return app
}

if (import.meta.main) await createApp(gateFromEnvironment(process.env)).listen({ port: 8080 })
