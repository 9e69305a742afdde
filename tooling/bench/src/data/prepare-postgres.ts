import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Context } from '../context.ts'
import { runService } from '../service-command.ts'
import type { DataSet } from './data-sets.ts'
import { type Databases, fingerprint, importDataSet } from './prepare.ts'

export async function execute(url: string, statements: readonly string[]) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The database of a data set on a server: cached by an earlier run, or made by the service's own import. */
export async function prepareOnPostgres(
  context: Context,
  dataSet: DataSet,
  urlOf: (database?: string) => string,
): Promise<Databases> {
  const name = `${dataSet.name}_${fingerprint(context, dataSet)}`
  const service = urlOf(name)
  const file = join(context.cache, 'postgres', `${name}.json`)
  if (!existsSync(file)) {
    await execute(urlOf(), [`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`, `CREATE DATABASE "${name}"`])
    await runService(context, ['migrate'], { database: service })
    context.log(`${dataSet.name}: importing into PostgreSQL`)
    const { seconds } = await importDataSet(context, dataSet, service)
    await execute(service, ['VACUUM ANALYZE', 'CHECKPOINT'])
    writeFileSync(file, JSON.stringify({ importSeconds: seconds }))
  }
  const { importSeconds } = JSON.parse(readFileSync(file, 'utf8'))
  return { service, competitors: '', importSeconds }
}
