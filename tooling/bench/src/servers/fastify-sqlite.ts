import Fastify from 'fastify'
import {
  invalidPurchaseCode,
  invalidRequest,
  itemNotFound,
  presentAccount,
  presentItem,
  presentPurchase,
} from '../peers/present.ts'
import { createReads } from '../peers/statements.ts'

declare module 'fastify' {
  interface FastifyRequest {
    workspaceId: string
  }
}

const reads = createReads(process.env.DATABASE_FILE!)
const app = Fastify()

app.decorateRequest('workspaceId', '')
app.addHook('onRequest', (request, reply, done) => {
  const workspaceId = reads.workspaceOf(request.headers.authorization)
  if (!workspaceId) {
    reply.code(401).send(invalidRequest)
    return
  }
  request.workspaceId = workspaceId
  done()
})

app.get('/api/account/details', (request, reply) => {
  reply.send({ status: 'success', data: presentAccount(reads.account(request.workspaceId)) })
})

app.get('/api/items/all', (request, reply) => {
  reply.send({ status: 'success', items: reads.items(request.workspaceId).map(presentItem) })
})

app.get<{ Querystring: { item_id: string } }>('/api/items/item', (request, reply) => {
  const row = reads.item(request.workspaceId, Number(request.query.item_id))
  if (!row) return reply.code(404).send(itemNotFound)
  reply.send({ status: 'success', item: presentItem(row) })
})

app.post<{ Body: { purchase_code: string } }>('/api/purchases/validation', (request, reply) => {
  const found = reads.purchase(request.workspaceId, request.body.purchase_code)
  if (!found) return reply.code(404).send(invalidPurchaseCode)
  reply.send({ status: 'success', data: { purchase: presentPurchase(found.row, found.item) } })
})

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
