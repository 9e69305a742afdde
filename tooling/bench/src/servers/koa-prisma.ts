import { createHash } from 'node:crypto'
import Router from '@koa/router'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaClient } from '@saleproof/api/src/generated/sqlite/client.ts'
import Koa from 'koa'
import bodyParser from 'koa-bodyparser'
import { presentAccount, presentItem, presentPurchase } from '../peers/present-prisma.ts'

// The average service: Koa, its usual router and body parser, and one Prisma query after the other.

interface State {
  workspaceId: string
}

const prisma = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: process.env.DATABASE_FILE! }) })
const router = new Router<State>({ prefix: '/api' })
const app = new Koa<State>()

app.use(async (ctx, next) => {
  try {
    await next()
  } catch (error) {
    const { status = 500, message } = error as { status?: number; message: string }
    ctx.status = status
    ctx.body = { status: 'error', msg: message }
  }
})
app.use(bodyParser())
app.use(async (ctx, next) => {
  const key = ctx.get('Authorization').replace(/^Bearer /, '')
  const keyHash = createHash('sha256').update(key).digest('base64url')
  const row = await prisma.apiKey.findUnique({ where: { keyHash } })
  if (!row || row.revokedAt || (row.expiresAt && row.expiresAt < new Date()))
    return ctx.throw(401, 'Invalid request')
  ctx.state.workspaceId = row.workspaceId
  await next()
})

router.get('/account/details', async (ctx) => {
  const { workspaceId: id } = ctx.state
  const row = await prisma.workspace.findUniqueOrThrow({ where: { id }, include: { account: true } })
  ctx.body = { status: 'success', data: presentAccount(row.account) }
})

router.get('/items/all', async (ctx) => {
  const { workspaceId } = ctx.state
  const orderBy = [{ publishedAt: 'desc' as const }, { id: 'desc' as const }]
  const rows = await prisma.item.findMany({ where: { workspaceId }, orderBy })
  ctx.body = { status: 'success', items: rows.map(presentItem) }
})

router.get('/items/item', async (ctx) => {
  const { workspaceId } = ctx.state
  const row = await prisma.item.findFirst({ where: { workspaceId, id: Number(ctx.query.item_id) } })
  if (!row) return ctx.throw(404, 'Item Not Found')
  ctx.body = { status: 'success', item: presentItem(row) }
})

router.post('/purchases/validation', async (ctx) => {
  const { workspaceId } = ctx.state
  const { purchase_code: code } = ctx.request.body as { purchase_code: string }
  const row = await prisma.purchase.findUnique({
    where: { workspaceId_code: { workspaceId, code } },
    include: { item: true },
  })
  if (row?.state !== 'active') return ctx.throw(404, 'Invalid purchase code')
  ctx.body = { status: 'success', data: { purchase: presentPurchase(row) } }
})

app.use(router.routes())
app.listen(Number(process.env.PORT), '127.0.0.1')
