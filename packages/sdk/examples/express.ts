import { createClient, type Purchase } from '@saleproof/sdk'
import { createGate } from '@saleproof/sdk/gate'
import { createFileStore, expressGuard } from '@saleproof/sdk/node'
import express from 'express'

const { SALEPROOF_URL = '', SALEPROOF_API_KEY, SALEPROOF_PEPPER = '', PORT = '8080' } = process.env

const gate = createGate({
  client: createClient({ baseUrl: SALEPROOF_URL, apiKey: SALEPROOF_API_KEY }),
  onUnknown: { allowCachedMs: 72 * 3_600_000 },
  store: createFileStore({ directory: 'purchases', pepper: SALEPROOF_PEPPER }),
})

const app = express()
app.get('/download', expressGuard({ gate, itemId: 101 }), (request, response) => {
  response.set('X-License', request.purchase?.license_type).send('the product')
})
app.listen(Number(PORT))

declare global {
  namespace Express {
    interface Request {
      purchase?: Purchase
    }
  }
}
