import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { listen } from '@saleproof/faults'

const purchase = (code: string) => ({
  purchase_code: code,
  license_type: 'Regular',
  price: 19.99,
  currency: 'USD',
  item: {
    id: 101,
    name: 'Icon pack',
    url: 'https://example.com/items/101',
    media: { preview_image: 'https://example.com/101.png' },
  },
  downloaded: false,
  date: '2024-04-27T12:00:00Z',
})

const success = (code: string) => JSON.stringify({ status: 'success', data: { purchase: purchase(code) } })
const refuse = (response: ServerResponse, code: string) =>
  response
    .writeHead(404, { 'X-Error-Code': code, 'X-Request-Id': 'r-1' })
    .end('{"status":"error","msg":"Invalid purchase code"}')

const answers: Record<string, (response: ServerResponse) => void> = {
  good: (response) => void response.end(success('good')),
  gzip: (response) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(success('gzip'))),
  none: (response) => void refuse(response, 'purchase_not_found'),
  other: (response) => void response.end(success('other')),
  slow: (response) => void setTimeout(() => response.end(success('slow')), 300),
  html: (response) => void response.end('<!doctype html>'),
  redirect: (response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
  hang: () => {},
  cut: (response) => void response.end(success('cut').slice(0, -5)),
  large: (response) => void response.end(' '.repeat(1_200_000) + success('large')),
  reset(response) {
    response.writeHead(200, { 'content-length': '5000' }).write('{"status":')
    setTimeout(() => response.destroy(), 30)
  },
}

/** A server on a free port whose answer the code chooses. */
export async function serve() {
  const server = createServer(async (request, response) => {
    // A client whose time is over ends its request where it is.
    const sent = await text(request).catch(() => '')
    const code = new URLSearchParams(sent).get('purchase_code')
    if (code === null) refuse(response, 'item_not_found')
    else answers[code.replace(/-\d+$/, '')]?.(response)
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
