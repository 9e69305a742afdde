import type { Gate } from '@saleproof/sdk/gate'
import { koaGuard } from '@saleproof/sdk/node'
import Koa from 'koa'
import { gateFromEnvironment } from './guard.ts'

export function createApp(gate: Gate) {
  const app = new Koa()
  app.use(koaGuard({ gate, itemId: 101 }))
  app.use((context) => {
    context.set('X-License', context.state.purchase.license_type)
    context.body = 'the product'
  })
  return app
}

if (import.meta.main) createApp(gateFromEnvironment(process.env)).listen(8080)
