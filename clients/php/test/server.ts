import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '@saleproof/faults'

export const purchase = (code: string, itemId = 101) => ({
  purchase_code: code,
  license_type: 'Regular',
  price: 19.99,
  currency: 'USD',
  item: {
    id: itemId,
    name: 'Icon pack',
    url: 'https://example.com/items/101',
    media: { preview_image: 'https://example.com/101.png' },
  },
  downloaded: false,
  date: '2024-04-27T12:00:00Z',
})

/** What the server does with a code. */
export type Behaviour = (code: string, response: ServerResponse, itemId?: number) => void

const respond = (response: ServerResponse, status: number, body: object, headers = {}) =>
  void response
    .writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers })
    .end(JSON.stringify(body))

const refusal =
  (status: number, msg: string, headers: Record<string, string>): Behaviour =>
  (_, response) =>
    respond(response, status, { status: 'error', msg }, headers)

export const says: Record<'valid' | 'refused' | 'limited' | 'down', Behaviour> = {
  valid: (code, response, itemId) =>
    respond(response, 200, { status: 'success', data: { purchase: purchase(code, itemId) } }),
  refused: refusal(404, 'Invalid purchase code', { 'x-error-code': 'purchase_not_active' }),
  limited: refusal(429, 'Too many requests', { 'x-error-code': 'rate_limited', 'retry-after': '60' }),
  down: refusal(503, 'Service unavailable', { 'x-error-code': 'unavailable' }),
}

/** A service on a free port; what it does can be changed at any time. */
export async function startService(behaviour: Behaviour) {
  const service = { url: '', requests: 0, behaviour, close: () => {} }
  const server = createServer(async (request, response) => {
    service.requests += 1
    // A client whose time is over ends its request where it is.
    const sent = await text(request).catch(() => '')
    const code = new URLSearchParams(sent).get('purchase_code') ?? ''
    service.behaviour(code, response)
  })
  const port = await listen(server)
  service.url = `http://127.0.0.1:${port}`
  service.close = () => {
    server.closeAllConnections()
    server.close()
  }
  return service
}
