import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { temporaryDatabase } from '../../../../test/support/postgres-databases.ts'
import { statements } from './queries.ts'

const itemCount = 10_000

const fill = `
INSERT INTO "Account" ("id", "username", "email", "firstname", "lastname", "fullName", "balance", "currency", "heading", "description",
    "contactEmail", "socialLinks", "avatar", "cover", "registeredAt")
  VALUES ('a', 'ada', '', '', '', '', 0, 'USD', '', '', '', '{}', '', '', now());
INSERT INTO "Workspace" ("id", "accountId", "slug", "name", "createdAt") VALUES (1, 'a', 'w', 'W', now());
INSERT INTO "ApiKey" ("id", "workspaceId", "name", "keyHash", "keyCipher", "publishable", "createdAt")
  VALUES ('k', 1, 'k', 'hash', '', false, now());
INSERT INTO "Item" ("id", "workspaceId", "kind", "name", "description", "category", "subCategory", "options", "version", "demoLink",
    "tags", "thumbnail", "previewImage", "screenshots", "priceRegular", "priceExtended", "currency", "url", "support", "publishedAt")
  SELECT number, 1, 'image', 'Item', repeat('text ', 40), '', '', '[]', '1.0.0', '', '[]', '', 'https://example.com/p.png', '[]',
    100, 200, 'USD', 'https://example.com', true, now() - number * interval '1 minute'
  FROM generate_series(1, ${itemCount}) AS number;
`

interface Plan {
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
}

async function connect() {
  const { url, remove } = await temporaryDatabase(inject('postgresUrl'))
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await remove()
  })
  await client.query(fill)
  await client.query('ANALYZE')
  return client
}

const plans = ['custom', 'generic'].flatMap((mode) => [
  { mode, start: 'plain' as const },
  { mode, start: 'guarded' as const },
])

test.each(plans)(
  'a list that is kept reads no item, by a $mode plan of the $start statement',
  async (plan) => {
    const { mode, start } = plan
    const client = await connect()
    await client.query(`SET plan_cache_mode = force_${mode}_plan`)
    const blocks = async (name: 'list' | 'head') => {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE ${name} ('hash')`,
      )
      // EXPLAIN gives one row.
      const { Plan: plan } = rows[0]!['QUERY PLAN'][0]
      return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    }
    for (const name of ['list', 'head'] as const) {
      await client.query(`PREPARE ${name} AS ${statements[name][start]}`)
      await blocks(name)
    }
    expect(await blocks('list')).toBeGreaterThan(200)
    expect(await blocks('head')).toBeLessThanOrEqual(20)
  },
)
