import { createHash } from 'node:crypto'
import Router from '@koa/router'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaClient } from '@saleproof/api/src/generated/sqlite/client.ts'
import Koa, { type Context } from 'koa'
import bodyParser from 'koa-bodyparser'
import {
  accountResult,
  itemResult,
  itemsResult,
  purchaseResult,
  type Result,
  unauthorized,
} from '../competitors/present.ts'
import { isUsable } from '../competitors/rows.ts'

// The average service: Koa, its usual router and body parser, and one Prisma query after the other.

interface State {
  workspaceId: string
}

const prisma = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: process.env.DATABASE ?? '' }) })
const router = new Router<State>({ prefix: '/api' })
const app = new Koa<State>()

function reply(ctx: Pick<Context, 'status' | 'body'>, { status, body }: Result) {
  ctx.status = status
  ctx.body = body
}

app.use(bodyParser())
app.use(async (ctx, next) => {
  const key = ctx.get('Authorization').replace(/^Bearer /, '')
  const keyHash = createHash('sha256').update(key).digest('base64url')
  const row = await prisma.apiKey.findUnique({ where: { keyHash } })
  if (!row || !isUsable(row)) return reply(ctx, unauthorized)
  ctx.state.workspaceId = row.workspaceId
  await next()
})

router.get('/account/details', async (ctx) => {
  const { workspaceId: id } = ctx.state
  const row = await prisma.workspace.findUniqueOrThrow({ where: { id }, include: { account: true } })
  reply(ctx, accountResult(row.account))
})

router.get('/items/all', async (ctx) => {
  const { workspaceId } = ctx.state
  const orderBy = [{ publishedAt: 'desc' as const }, { id: 'desc' as const }]
  reply(ctx, itemsResult(await prisma.item.findMany({ where: { workspaceId }, orderBy })))
})

router.get('/items/item', async (ctx) => {
  const where = { workspaceId: ctx.state.workspaceId, id: Number(ctx.query.item_id) }
  reply(ctx, itemResult((await prisma.item.findFirst({ where })) ?? undefined))
})

router.post('/purchases/validation', async (ctx) => {
  const { workspaceId } = ctx.state
  const { purchase_code: code } = ctx.request.body as { purchase_code: string }
  const row = await prisma.purchase.findUnique({
    where: { workspaceId_code: { workspaceId, code } },
    include: { item: true },
  })
  reply(ctx, purchaseResult(row ?? undefined, row?.item))
})

app.use(router.routes())
app.listen(Number(process.env.PORT), '127.0.0.1')
