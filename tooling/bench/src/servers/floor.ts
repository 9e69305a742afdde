import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  invalidPurchaseCode,
  invalidRequest,
  itemNotFound,
  notFound,
  presentAccount,
  presentItem,
  presentPurchase,
} from '../peers/present.ts'
import { createReads } from '../peers/statements.ts'

// What everything is measured against: Node's own server, prepared statements, one SHA-256 a request, and nothing else.

const reads = createReads(process.env.DATABASE_FILE!)

function answer(response: ServerResponse, status: number, body: object) {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(text)
}

function answerItem(response: ServerResponse, workspaceId: string, query: string) {
  const row = reads.item(workspaceId, Number(new URLSearchParams(query).get('item_id')))
  if (!row) return answer(response, 404, itemNotFound)
  answer(response, 200, { status: 'success', item: presentItem(row) })
}

function validate(response: ServerResponse, workspaceId: string, body: string) {
  const found = reads.purchase(workspaceId, JSON.parse(body).purchase_code)
  if (!found) return answer(response, 404, invalidPurchaseCode)
  answer(response, 200, { status: 'success', data: { purchase: presentPurchase(found.row, found.item) } })
}

function readBody(request: IncomingMessage, done: (body: string) => void) {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (text) => {
    body += text
  })
  request.on('end', () => done(body))
}

const server = createServer((request, response) => {
  const [path, query = ''] = request.url!.split('?')
  const workspaceId = reads.workspaceOf(request.headers.authorization)
  if (!workspaceId) return answer(response, 401, invalidRequest)
  switch (path) {
    case '/api/account/details':
      return answer(response, 200, { status: 'success', data: presentAccount(reads.account(workspaceId)) })
    case '/api/items/all':
      return answer(response, 200, { status: 'success', items: reads.items(workspaceId).map(presentItem) })
    case '/api/items/item':
      return answerItem(response, workspaceId, query)
    case '/api/purchases/validation':
      return readBody(request, (body) => validate(response, workspaceId, body))
    default:
      return answer(response, 404, notFound)
  }
})

server.listen(Number(process.env.PORT), '127.0.0.1')
