import { hash } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import { and, desc, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import Fastify from 'fastify'
import {
  invalidPurchaseCode,
  invalidRequest,
  itemNotFound,
  presentAccount,
  presentItem,
  presentPurchase,
} from '../peers/present.ts'
import { isUsable } from '../peers/stored-rows.ts'
import { accounts, apiKeys, items, purchases, workspaces } from '../peers/tables.ts'

declare module 'fastify' {
  interface FastifyRequest {
    workspaceId: string
  }
}

// Drizzle with its prepared queries: that is what its manual advises where speed matters.
const database = drizzle(new Sqlite(process.env.DATABASE_FILE!, { readonly: true }))
const given = sql.placeholder
const keyByHash = database
  .select()
  .from(apiKeys)
  .where(eq(apiKeys.keyHash, given('hash')))
  .prepare()
const accountOf = database
  .select({ account: accounts })
  .from(workspaces)
  .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
  .where(eq(workspaces.id, given('workspaceId')))
  .prepare()
const itemsOf = database
  .select()
  .from(items)
  .where(eq(items.workspaceId, given('workspaceId')))
  .orderBy(desc(items.publishedAt), desc(items.id))
  .prepare()
const itemById = database
  .select()
  .from(items)
  .where(and(eq(items.workspaceId, given('workspaceId')), eq(items.id, given('id'))))
  .prepare()
const purchaseByCode = database
  .select({ purchase: purchases, item: items })
  .from(purchases)
  .innerJoin(items, eq(items.id, purchases.itemId))
  .where(and(eq(purchases.workspaceId, given('workspaceId')), eq(purchases.code, given('code'))))
  .prepare()

const app = Fastify()

app.decorateRequest('workspaceId', '')
app.addHook('onRequest', (request, reply, done) => {
  const key = request.headers.authorization?.slice('Bearer '.length) ?? ''
  const row = keyByHash.get({ hash: hash('sha256', key, 'base64url') })
  if (!row || !isUsable(row)) {
    reply.code(401).send(invalidRequest)
    return
  }
  request.workspaceId = row.workspaceId
  done()
})

app.get('/api/account/details', ({ workspaceId }, reply) => {
  reply.send({ status: 'success', data: presentAccount(accountOf.get({ workspaceId })!.account) })
})

app.get('/api/items/all', ({ workspaceId }, reply) => {
  reply.send({ status: 'success', items: itemsOf.all({ workspaceId }).map(presentItem) })
})

app.get<{ Querystring: { item_id: string } }>('/api/items/item', ({ workspaceId, query }, reply) => {
  const row = itemById.get({ workspaceId, id: Number(query.item_id) })
  if (!row) return reply.code(404).send(itemNotFound)
  reply.send({ status: 'success', item: presentItem(row) })
})

app.post<{ Body: { purchase_code: string } }>('/api/purchases/validation', ({ workspaceId, body }, reply) => {
  const row = purchaseByCode.get({ workspaceId, code: body.purchase_code })
  if (row?.purchase.state !== 'active') return reply.code(404).send(invalidPurchaseCode)
  reply.send({ status: 'success', data: { purchase: presentPurchase(row.purchase, row.item) } })
})

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
