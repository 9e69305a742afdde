import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Context } from '../context.ts'
import { runService } from '../service-command.ts'
import type { DataSet } from './data-sets.ts'
import { competitorKeys, fingerprint, importDataSet } from './prepare.ts'

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
): Promise<string> {
  const name = `${dataSet.name}_${fingerprint(context, dataSet)}`
  const database = urlOf(name)
  const imported = join(context.cache, 'postgres', name)
  if (existsSync(imported)) return database
  await execute(urlOf(), [`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`, `CREATE DATABASE "${name}"`])
  await runService(context, ['migrate'], { database })
  context.log(`${dataSet.name}: importing into PostgreSQL`)
  await importDataSet(context, dataSet, database)
  await execute(database, [...competitorKeys(dataSet), 'VACUUM ANALYZE', 'CHECKPOINT'])
  writeFileSync(imported, '')
  return database
}
