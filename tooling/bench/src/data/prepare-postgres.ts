import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '@saleproof/postgres'
import pg from 'pg'
import type { Context } from '../context.ts'
import { runService } from '../service-command.ts'
import type { DataSet } from './data-sets.ts'
import { baselineKeys, fingerprint, importDataSet } from './prepare.ts'

/** Enough for the large data set to be in memory; durability stays on. */
const settings = { shared_buffers: '1GB', max_wal_size: '4GB' }

/** Runs on a PostgreSQL server of its own, which keeps the data sets of earlier runs. */
export async function withPostgres<T>({ cache }: Context, run: (server: PostgresServer) => Promise<T>) {
  const server = await startPostgres({ folder: join(cache, 'postgres'), settings })
  try {
    return await run(server)
  } finally {
    await server.remove()
  }
}

/** An empty database in place of that of an earlier run; gives its address. */
export async function createDatabase(server: PostgresServer, name: string, template = 'template1') {
  const drop = `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`
  await execute(server.url(), [drop, `CREATE DATABASE "${name}" TEMPLATE "${template}"`])
  return server.url(name)
}

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
  server: PostgresServer,
): Promise<string> {
  const name = `${dataSet.name}_${fingerprint(context, dataSet)}`
  const imported = join(context.cache, 'postgres', name)
  if (existsSync(imported)) return server.url(name)
  const database = await createDatabase(server, name)
  await runService(context, ['migrate'], { database })
  context.log(`${dataSet.name}: importing into PostgreSQL`)
  await importDataSet(context, dataSet, database)
  await execute(database, [...baselineKeys(dataSet), 'VACUUM ANALYZE', 'CHECKPOINT'])
  writeFileSync(imported, '')
  return database
}
