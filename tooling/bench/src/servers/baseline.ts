import { createServer, type IncomingMessage } from 'node:http'
import { createPostgresReads } from '../reads/postgres-reads.ts'
import { notFound, type Result } from '../reads/present.ts'
import { createSqliteReads } from '../reads/sqlite-reads.ts'

// What everything is measured against: Node's own server, prepared statements, one SHA-256 a request, and nothing else.

const { DATABASE: database = '' } = process.env
const reads = database.includes('://') ? await createPostgresReads(database) : createSqliteReads(database)

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (text) => {
      body += text
    })
    request.on('end', () => resolve(body))
  })
}

async function respond(request: IncomingMessage): Promise<Result> {
  const [path, query = ''] = (request.url ?? '').split('?')
  const { authorization = '' } = request.headers
  switch (path) {
    case '/api/account/details':
      return reads.account(authorization)
    case '/api/items/all':
      return reads.items(authorization)
    case '/api/items/item':
      return reads.item(authorization, Number(new URLSearchParams(query).get('item_id')))
    case '/api/purchases/validation':
      return reads.purchase(authorization, JSON.parse(await readBody(request)).purchase_code)
    default:
      return notFound
  }
}

createServer(async (request, response) => {
  const { status, body } = await respond(request)
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(text)
}).listen(Number(process.env.PORT), '127.0.0.1')
