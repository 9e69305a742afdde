import Fastify, { type FastifyReply } from 'fastify'
import type { Result } from '../competitors/present.ts'
import { createSqliteReads } from '../competitors/sqlite-reads.ts'

const reads = createSqliteReads(process.env.DATABASE ?? '')
const app = Fastify()

const reply = (to: FastifyReply, { status, body }: Result) => void to.code(status).send(body)

app.get('/api/account/details', ({ headers }, to) => reply(to, reads.account(headers.authorization ?? '')))

app.get('/api/items/all', ({ headers }, to) => reply(to, reads.items(headers.authorization ?? '')))

app.get<{ Querystring: { item_id: string } }>('/api/items/item', ({ headers, query }, to) =>
  reply(to, reads.item(headers.authorization ?? '', Number(query.item_id))),
)

app.post<{ Body: { purchase_code: string } }>('/api/purchases/validation', ({ headers, body }, to) =>
  reply(to, reads.purchase(headers.authorization ?? '', body.purchase_code)),
)

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
