import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Context } from '../context.ts'
import { runService } from '../service-command.ts'
import type { DataSet } from './data-sets.ts'
import { competitorKeys, type Databases, fingerprint, importDataSet } from './prepare.ts'

type UrlOf = (database?: string) => string

interface Statement {
  text: string
  values?: readonly unknown[]
}

export async function execute(url: string, statements: readonly (string | Statement)[]) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of statements) {
      const { text, values = [] } = typeof statement === 'string' ? { text: statement } : statement
      await client.query(text, [...values])
    }
  } finally {
    await client.end()
  }
}

const changeKey =
  'UPDATE "ApiKey" SET "keyHash" = $1 WHERE "workspaceId" = (SELECT "id" FROM "Workspace" WHERE "slug" = $2)'

/** The databases of a data set on a server: cached by an earlier run, or made by the service's own import. */
export async function prepareOnPostgres(
  context: Context,
  dataSet: DataSet,
  urlOf: UrlOf,
): Promise<Databases> {
  const name = `${dataSet.name}_${fingerprint(context, dataSet)}`
  const service = urlOf(name)
  const competitors = urlOf(`${name}_competitors`)
  const file = join(context.cache, 'postgres', `${name}.json`)
  if (!existsSync(file)) {
    await execute(urlOf(), [
      `DROP DATABASE IF EXISTS "${name}_competitors" WITH (FORCE)`,
      `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`,
      `CREATE DATABASE "${name}"`,
    ])
    await runService(context, ['migrate'], { database: service })
    context.log(`${dataSet.name}: importing into PostgreSQL`)
    const { seconds } = await importDataSet(context, dataSet, service)
    await execute(service, ['VACUUM ANALYZE', 'CHECKPOINT'])
    await execute(urlOf(), [`CREATE DATABASE "${name}_competitors" TEMPLATE "${name}"`])
    await execute(competitors, [
      ...competitorKeys(dataSet).map(({ hash, slug }) => ({ text: changeKey, values: [hash, slug] })),
      'VACUUM ANALYZE',
    ])
    writeFileSync(file, JSON.stringify({ importSeconds: seconds }))
  }
  const { importSeconds } = JSON.parse(readFileSync(file, 'utf8'))
  return { service, competitors, importSeconds }
}
