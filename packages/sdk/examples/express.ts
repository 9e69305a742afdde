import type { Guard } from '@saleproof/sdk/guard'
import express from 'express'
import { guardFromEnvironment } from './guard.ts'
import { webRequest } from './web-request.ts'

export function createApp(guard: Guard): express.Express {
  const app = express()
  app.use('/download', async (request, response, next) => {
    const decision = await guard(webRequest(request))
    if (decision.allowed) return next()
    response.status(decision.status).set('Cache-Control', 'no-store').json({ error: decision.reason })
  })
  app.get('/download', (_request, response) => {
    response.send('the product')
  })
  return app
}

if (import.meta.main) createApp(guardFromEnvironment(process.env)).listen(8080)
