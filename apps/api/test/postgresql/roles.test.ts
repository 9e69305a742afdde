import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { send } from '../support/client.ts'
import { packageRoot } from '../support/folders.ts'
import { ndjson } from '../support/harness.ts'
import { codes, records, secretKey } from '../support/records.ts'
import { emptyPlaces } from './deployments.ts'

const page = readFileSync(join(packageRoot, 'docs/postgresql.md'), 'utf8')
const [setUp = '', rights = ''] = [...page.matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, sql]) => sql)

async function asSuperuser(url: string, script: string) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of script.split(';\n').filter((text) => text.trim())) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** What the documentation says to set up, under names of this test alone. */
async function setUpServer() {
  const server = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '').slice(0, 12)}`
  const named = (script: string) => script.replaceAll('saleproof', name)
  await asSuperuser(server, named(setUp))
  onTestFinished(() =>
    asSuperuser(
      server,
      `DROP DATABASE IF EXISTS "${name}" WITH (FORCE);\nDROP ROLE IF EXISTS ${name}, ${name}_app, ${name}_owner;\n`,
    ),
  )
  const addressOf = (role: string, password: string) => {
    const url = new URL(server)
    Object.assign(url, { username: role, password: encodeURIComponent(password), pathname: `/${name}` })
    return url.href
  }
  return { server, name, named, addressOf }
}

const validation = {
  method: 'POST',
  path: '/api/purchases/validation',
  headers: { 'x-api-key': secretKey, 'content-type': 'application/x-www-form-urlencoded' },
  body: `purchase_code=${codes.active}`,
}

test('a role that owns its database and nothing else does everything', async () => {
  const { name, addressOf } = await setUpServer()
  const { done, fileUrl, serving } = await emptyPlaces()
  const DATABASE_URL = addressOf(name, 'a long one')
  await done(['import', '-'], { DATABASE_URL: fileUrl() }, ndjson(records))
  await done(['transfer', '--from', fileUrl()], { DATABASE_URL })
  await done(['account', 'remove', 'bob'], { DATABASE_URL })
  const next = 'the next secret of the operator, long enough'
  await done(['secret', 'rotate', '--to', '-'], { DATABASE_URL }, next)
  const env = { DATABASE_URL, SALEPROOF_SECRET: next }
  const server = await serving(env)
  expect((await send(server.url, validation)).status).toBe(200)
  server.signal('SIGTERM')
  await server.done
})

test('a role that owns nothing serves and imports, once it was given the rights', async () => {
  const { server, name, named, addressOf } = await setUpServer()
  await asSuperuser(
    server,
    `CREATE ROLE ${name}_owner LOGIN PASSWORD 'owner';\nCREATE ROLE ${name}_app LOGIN PASSWORD 'app';\nALTER DATABASE "${name}" OWNER TO ${name}_owner;\n`,
  )
  const inDatabase = new URL(server)
  inDatabase.pathname = `/${name}`
  await asSuperuser(inDatabase.href, named(rights))
  const { done, serving } = await emptyPlaces()
  await done(['migrate'], { DATABASE_URL: addressOf(`${name}_owner`, 'owner') })
  const DATABASE_URL = addressOf(`${name}_app`, 'app')
  await done(['import', '-'], { DATABASE_URL }, ndjson(records))
  await done(['key', 'create', '--workspace', 'ada-studio', '--name', 'another'], { DATABASE_URL })
  const running = await serving({ DATABASE_URL })
  expect((await send(running.url, validation)).status).toBe(200)
  running.signal('SIGTERM')
  await running.done
  const rotated = await done(['secret', 'rotate', '--to', '-'], { DATABASE_URL }, 'x'.repeat(40))
  expect(rotated.stderr).toContain('run VACUUM FULL "ApiKey", "SigningKey"')
})
