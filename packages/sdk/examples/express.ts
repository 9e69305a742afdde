import type { Purchase } from '@saleproof/sdk'
import type { Gate } from '@saleproof/sdk/gate'
import { expressGuard } from '@saleproof/sdk/node'
import express from 'express'
import { gateFromEnvironment } from './guard.ts'

declare global {
  namespace Express {
    interface Request {
      purchase?: Purchase
    }
  }
}

export function createApp(gate: Gate): express.Express {
  const app = express()
  app.use('/download', expressGuard({ gate, itemId: 101 }))
  app.get('/download', (request, response) => {
    response.set('X-License', request.purchase?.license_type).send('the product')
  })
  return app
}

if (import.meta.main) createApp(gateFromEnvironment(process.env)).listen(8080)
