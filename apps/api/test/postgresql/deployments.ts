import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { inject, onTestFinished } from 'vitest'
import { send } from '../support/client.ts'
import { saleproof } from '../support/command.ts'
import { shopArbitrary } from '../support/fast-path-records.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { temporaryDatabase } from '../support/postgres-databases.ts'
import { spawnServe } from '../support/process.ts'
import { boundKey, codes, expiredKey, publishableKey, records, secretKey } from '../support/records.ts'

/** A shop whose texts, dates and lists are as awkward as they may be, beside the records of every test. */
const [shop] = fc.sample(shopArbitrary, { numRuns: 1, seed: 20_261_121 })
const apart = (record: object) =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      name === 'slug' || name === 'workspace' ? `awkward-${value}` : value,
    ]),
  )
export const awkward = shop!.records.map(apart)
const early = {
  ...records.find((record) => (record as { type: string }).type === 'purchase'),
  purchase_code: 'a\tcode \\N of \\.the year 0004',
  license_type: '\u0001\b\f\n\r\t\v\\',
  date: '0004-02-29T12:00:00Z',
  supported_until: '9999-12-31T23:59:59Z',
}

export const secret = 'the secret of the operator, long enough'

type Env = Record<string, string>

/** A folder with nothing in it, the addresses of a file in it and of a database on the server, and commands in it. */
export async function emptyPlaces() {
  const home = await temporaryFolder()
  const { url, remove } = await temporaryDatabase(inject('postgresUrl'), { empty: true })
  onTestFinished(async () => {
    await remove()
    await home.remove()
  })
  const command = (args: readonly string[], env: Env = {}, input = '') =>
    saleproof(args, {
      cwd: home.folder,
      env: { SALEPROOF_SECRET: secret, ...env },
      input,
      elsewhere: true,
    })
  async function done(args: readonly string[], env: Env = {}, input = '') {
    const result = await command(args, env, input)
    if (result.code !== 0) throw new Error(`${args.join(' ')}: ${result.stderr}`)
    return result
  }
  const fileUrl = (name = 'test.db') => `file:./${name}`
  const serving = (env: Env) => spawnServe({ cwd: home.folder, env: { SALEPROOF_SECRET: secret, ...env } })
  const change = (sql: string, name = 'test.db') => {
    const database = new Sqlite(join(home.folder, name))
    database.exec(sql)
    database.close()
  }
  return { folder: home.folder, url, run: command, done, fileUrl, serving, change }
}

export type Places = Awaited<ReturnType<typeof emptyPlaces>>

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const validation = (key: string, code: string) => ({
  method: 'POST',
  path: '/api/purchases/validation?shape=extended',
  headers: { ...bearer(key), 'content-type': 'application/json' },
  body: JSON.stringify({ purchase_code: code }),
})

/** What each of the four operations answers to the keys and codes that there are, and to others. */
export async function answersOf(url: string): Promise<string[]> {
  const keys = [secretKey, publishableKey, boundKey, expiredKey, ...Object.values(shop!.keys)]
  const asked = keys.flatMap((key) => [
    ...['', '?shape=extended'].flatMap((shape) => [
      { path: `/api/account/details${shape}`, headers: bearer(key) },
      { path: `/api/items/all${shape}`, headers: bearer(key) },
    ]),
    ...[101, ...shop!.itemIds].map((id) => ({ path: `/api/items/item?item_id=${id}`, headers: bearer(key) })),
    ...[...Object.values(codes), early.purchase_code, ...shop!.codes].map((code) => validation(key, code)),
  ])
  const answers: string[] = []
  for (const one of asked) {
    const { status, headers, text } = await send(url, one)
    answers.push([status, headers['x-error-code'], headers.etag, text].join(' '))
  }
  return answers
}

/** A deployment in a file with rows of every kind, that has been served; what it answered; nothing serves any more. */
export async function usedDeployment(places: Places) {
  const { done, serving, fileUrl, change } = places
  const env = { DATABASE_URL: fileUrl() }
  await done(['import', '-'], env, ndjson([...records, early]))
  for (const state of ['refunded', 'active']) await done(['import', '-'], env, ndjson([{ ...early, state }]))
  await done(['import', '-'], env, ndjson(awkward))
  await done(['key', 'create', '--workspace', 'ada-studio', '--name', 'made'], env)
  change(`INSERT INTO Session SELECT 'a hash', id, 'a mark', 1767225600123, 1767312000000,
    'Firefox', NULL FROM Account WHERE username = 'ada'`)
  change(`INSERT INTO ResetLink SELECT id, 'a hash', 'a mark', 1767225600123, 1767312000000
    FROM Account WHERE username = 'ada'`)
  const server = await serving(env)
  const answers = await answersOf(server.url)
  server.signal('SIGTERM')
  await server.done
  change(
    `INSERT INTO Counts VALUES (1, 500000, 'key', 'k', '', 3);
     INSERT INTO ItemRemoval VALUES (9007199254740991, 1800000000000)`,
    'test.db.usage',
  )
  return { answers }
}

/** Serves until it has answered everything. */
export async function answersIn({ serving }: Places, databaseUrl: string): Promise<string[]> {
  const server = await serving({ DATABASE_URL: databaseUrl })
  const answers = await answersOf(server.url)
  server.signal('SIGTERM')
  await server.done
  return answers
}
