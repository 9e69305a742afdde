import { hash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import pg from 'pg'
import type { Context } from '../context.ts'
import { runService } from '../run-service.ts'
import type { DataSet } from './data-sets.ts'
import { importStream } from './import.ts'
import { linesOf } from './lines.ts'
import { allRecords, type Databases, fingerprint } from './prepare.ts'
import { keyOf, slugOf } from './records.ts'

type UrlOf = (database?: string) => string

async function withClient<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}

const run = (url: string, statements: readonly string[]) =>
  withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement)
  })

/** A copy for the floor, in which each key is found by its own plain hash. */
async function copyForFloor(
  urlOf: UrlOf,
  { service, peers }: { service: string; peers: string },
  dataSet: DataSet,
) {
  await run(urlOf(), [`CREATE DATABASE "${peers}" TEMPLATE "${service}"`])
  await withClient(urlOf(peers), async (client) => {
    for (let workspace = 0; workspace < dataSet.workspaces; workspace++)
      await client.query(
        'UPDATE "ApiKey" SET "keyHash" = $1 WHERE "workspaceId" = (SELECT "id" FROM "Workspace" WHERE "slug" = $2)',
        [hash('sha256', keyOf(workspace), 'base64url'), slugOf(workspace)],
      )
    await client.query('VACUUM ANALYZE')
  })
}

async function build(
  context: Context,
  dataSet: DataSet,
  urlOf: UrlOf,
  names: { service: string; peers: string },
) {
  await run(urlOf(), [`CREATE DATABASE "${names.service}"`])
  const database = urlOf(names.service)
  await runService(context, ['migrate'], database)
  context.say(`${dataSet.name}: importing it into PostgreSQL`)
  const records = Readable.from(linesOf(allRecords(dataSet)))
  const importSeconds = await importStream(context, { records, database })
  await run(database, ['VACUUM ANALYZE', 'CHECKPOINT'])
  await copyForFloor(urlOf, names, dataSet)
  return importSeconds
}

/** The databases of a data set on a server, made by the service's own import unless an earlier run left them. */
export async function prepareOnPostgres(
  context: Context,
  dataSet: DataSet,
  urlOf: UrlOf,
): Promise<Databases> {
  const name = `${dataSet.name}_${fingerprint(context, dataSet)}`
  const names = { service: name, peers: `${name}_peers` }
  const file = join(context.cache, 'postgres', `${name}.json`)
  if (!existsSync(file)) {
    await run(
      urlOf(),
      Object.values(names).map((database) => `DROP DATABASE IF EXISTS "${database}" WITH (FORCE)`),
    )
    const importSeconds = await build(context, dataSet, urlOf, names)
    writeFileSync(file, JSON.stringify({ importSeconds }))
  }
  const { importSeconds } = JSON.parse(await readFile(file, 'utf8'))
  return { service: urlOf(names.service), peers: urlOf(names.peers), importSeconds }
}
