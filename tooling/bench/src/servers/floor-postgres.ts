import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createPostgresReads } from '../peers/postgres.ts'
import {
  invalidPurchaseCode,
  invalidRequest,
  itemNotFound,
  notFound,
  presentAccount,
  presentItem,
  presentPurchase,
} from '../peers/present.ts'

// The floor on PostgreSQL: Node's own server, a pool of node-postgres, one prepared statement and one SHA-256 a request.

const reads = createPostgresReads(process.env.DATABASE_FILE!)

function answer(response: ServerResponse, status: number, body: object) {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(text)
}

const success = (body: object) => ({ status: 200, body: { status: 'success', ...body } })
const failure = (status: number, body: object) => ({ status, body })
const unauthorized = failure(401, invalidRequest)

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

async function account(authorization: string) {
  const rows = await reads.account(authorization)
  return rows ? success({ data: presentAccount(rows[0]!) }) : unauthorized
}

async function items(authorization: string) {
  const rows = await reads.items(authorization)
  return rows ? success({ items: rows.map(presentItem) }) : unauthorized
}

async function item(authorization: string, query: string) {
  const rows = await reads.item(authorization, Number(new URLSearchParams(query).get('item_id')))
  if (!rows) return unauthorized
  return rows[0]!.id ? success({ item: presentItem(rows[0]!) }) : failure(404, itemNotFound)
}

async function validate(authorization: string, body: string) {
  const rows = await reads.purchase(authorization, JSON.parse(body).purchase_code)
  if (!rows) return unauthorized
  const row = rows[0]!
  if (row.state !== 'active') return failure(404, invalidPurchaseCode)
  return success({ data: { purchase: presentPurchase({ ...row, currency: row.paidIn }, row) } })
}

async function respond(request: IncomingMessage) {
  const [path, query = ''] = request.url!.split('?')
  const { authorization = '' } = request.headers
  switch (path) {
    case '/api/account/details':
      return account(authorization)
    case '/api/items/all':
      return items(authorization)
    case '/api/items/item':
      return item(authorization, query)
    case '/api/purchases/validation':
      return validate(authorization, await readBody(request))
    default:
      return failure(404, notFound)
  }
}

const server = createServer(async (request, response) => {
  const { status, body } = await respond(request)
  answer(response, status, body)
})

server.listen(Number(process.env.PORT), '127.0.0.1')
