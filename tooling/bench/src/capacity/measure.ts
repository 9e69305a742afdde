import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '@saleproof/postgres'
import pg from 'pg'
import type { Context } from '../context.ts'
import { cpuSeconds } from '../measure/process-figures.ts'
import { createRandom } from '../statistics.ts'
import type { DatabaseCost } from './cost.ts'

const purchases = 300_000
const workspaces = 100
const lookUps = 40_000
/** At a time, as from the instances of a service. */
const atOnce = 8

/** Key and answer in one statement, as a validation needs them. */
const lookUp = `SELECT k."workspaceId", k."publishable", k."expiresAt", k."revokedAt", p.*, i."name", i."url", i."previewImage"
  FROM "ApiKey" k
  LEFT JOIN "Purchase" p ON p."workspaceId" = k."workspaceId" AND p."code" = $2
  LEFT JOIN "Item" i ON i."workspaceId" = p."workspaceId" AND i."id" = p."itemId"
  WHERE k."keyHash" = $1`

const numbers = (from: number, to: number) => `generate_series(${from}, ${to}) n`

const rows = [
  `INSERT INTO "Account" ("id", "username", "email", "firstname", "lastname", "fullName", "balance", "currency", "heading", "description",
     "contactEmail", "socialLinks", "avatar", "cover", "registeredAt")
   VALUES ('a', 'a', '', '', '', '', 0, 'USD', '', '', '', '{}', '', '', now())`,
  `INSERT INTO "Workspace" ("id", "accountId", "slug", "name", "createdAt")
   SELECT left(md5('w' || n), 21), 'a', 'w' || n, '', now() FROM ${numbers(1, workspaces)}`,
  `INSERT INTO "ApiKey" ("id", "workspaceId", "name", "keyHash", "keyCipher", "publishable", "createdAt")
   SELECT left(md5('k' || n), 21), left(md5('w' || n), 21), '', 'hash-' || n, '', false, now() FROM ${numbers(1, workspaces)}`,
  `INSERT INTO "Item" ("id", "workspaceId", "kind", "name", "description", "category", "subCategory", "options", "version", "demoLink", "tags",
     "thumbnail", "previewImage", "screenshots", "priceRegular", "priceExtended", "currency", "url", "support", "publishedAt")
   SELECT n, left(md5('w' || n), 21), 'image', 'An item', repeat('x', 1000), '', '', '[]', '1.0.0', '', '[]', '', 'https://example.com/' || n, '[]',
     1999, 9900, 'USD', 'https://example.com/' || n, true, now() FROM ${numbers(1, workspaces)}`,
  `INSERT INTO "Purchase" ("workspaceId", "code", "itemId", "licenseType", "price", "currency", "supportedUntil", "downloaded", "date", "state")
   SELECT left(md5('w' || (n % ${workspaces} + 1)), 21), 'code-' || lpad(n::text, 12, '0') || '-of-the-bench', n % ${workspaces} + 1, 'Regular', 1999,
     'USD', now(), false, now(), 'active' FROM ${numbers(0, purchases - 1)}`,
]

async function fill(client: pg.Client, migrations: string) {
  for (const name of readdirSync(migrations).sort()) {
    if (!name.endsWith('.toml'))
      await client.query(readFileSync(join(migrations, name, 'migration.sql'), 'utf8'))
  }
  for (const statement of rows) await client.query(statement)
  await client.query('VACUUM ANALYZE')
}

async function ask(client: pg.Client, count: number, random: () => number) {
  for (let index = 0; index < count; index++) {
    const number = Math.floor(random() * purchases)
    const code = `code-${String(number).padStart(12, '0')}-of-the-bench`
    const values = [`hash-${(number % workspaces) + 1}`, code]
    const { rows } = await client.query({ name: 'validation', text: lookUp, values })
    if (rows[0]?.code !== code) throw new Error(`${code} was not found`)
  }
}

/** The processor time of a look-up in all processes of PostgreSQL; a first series warms up. */
async function timeLookUps(url: string, pid: number): Promise<number> {
  const clients = Array.from({ length: atOnce }, () => new pg.Client(url))
  await Promise.all(clients.map((client) => client.connect()))
  const series = (count: number) =>
    Promise.all(clients.map((client, index) => ask(client, count / atOnce, createRandom(index))))
  try {
    await series(lookUps / 4)
    const before = cpuSeconds(pid)
    await series(lookUps)
    return ((cpuSeconds(pid) - before) / lookUps) * 1e6
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

const sizes = `SELECT pg_table_size('"Purchase"')::float8 / ${purchases} AS "rowBytes",
  pg_indexes_size('"Purchase"')::float8 / ${purchases} AS "indexBytes"`

/** Measures what a validation costs PostgreSQL, and a purchase its disk, on a server of its own. */
export async function measureDatabase(context: Context): Promise<DatabaseCost> {
  const folder = mkdtempSync(join(context.cache, 'capacity-'))
  const postgres = await startPostgres({ folder, settings: { shared_buffers: '512MB', max_wal_size: '2GB' } })
  const client = new pg.Client(postgres.url())
  try {
    await client.connect()
    context.say(`${purchases} purchases`)
    await fill(client, `${context.api}/prisma/migrations-postgresql`)
    const bytes = (await client.query(sizes)).rows[0]
    const pid = Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0])
    context.say(`${lookUps} look-ups`)
    const databaseMicroseconds = await timeLookUps(postgres.url(), pid)
    return { measuredAt: new Date().toISOString(), purchases, databaseMicroseconds, ...bytes }
  } finally {
    await client.end()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
