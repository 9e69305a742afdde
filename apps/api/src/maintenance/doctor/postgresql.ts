import type { ClientBase } from 'pg'
import { createKeyVault, type KeyVault } from '../../crypto/key-vault.ts'
import { matches } from '../../crypto/secret.ts'
import { readDeployment } from '../../db/deployment.ts'
import { readAddress } from '../../db/postgres/address.ts'
import { type Connection, withConnection } from '../../db/postgres/connection.ts'
import { createPostgresMigrator } from '../../db/postgres/migrate.ts'
import { sqlOn } from '../../db/postgres/row-types.ts'
import { checkConnections, type Planned } from './connections.ts'
import { checkKeys, checkMigrations, selectKeys } from './deployment.ts'
import type { Examination, Report } from './report.ts'

interface PostgresOptions {
  databaseUrl: string
  secret: string
  /** The migrations of this build for PostgreSQL. */
  folder: string
  clock: () => Date
  planned: Planned
}

const limits = { lockTimeoutMs: 5000, timeoutMs: 30_000 }
const [oldestMajor, newestMajor] = [15, 18]

const settingNames = [
  'server_version_num',
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'server_encoding',
  'max_connections',
] as const

type Setting = (typeof settingNames)[number]

async function readSettings(client: ClientBase): Promise<Record<Setting, string>> {
  const { rows } = await client.query('SELECT name, setting FROM pg_settings WHERE name = ANY($1)', [
    settingNames,
  ])
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

/** Settings that keep confirmed writes through a power loss, and texts as they are. */
function checkSettings(settings: Record<Setting, string>, { problem, warning }: Report) {
  const major = Math.floor(Number(settings.server_version_num) / 10_000)
  if (major < oldestMajor) problem(`PostgreSQL ${major} is too old`, `install ${oldestMajor} or newer`)
  if (major > newestMajor)
    warning(
      `PostgreSQL ${major} is newer than what this version was tested with`,
      'watch it, or stay with 18',
    )
  for (const name of ['fsync', 'full_page_writes'] as const)
    if (settings[name] === 'off')
      problem(`${name} is off: a power loss may destroy the database`, 'set it to on')
  if (settings.synchronous_commit === 'off')
    problem('synchronous_commit is off: a power loss may lose what was confirmed', 'set it to on')
  if (settings.server_encoding !== 'UTF8')
    problem(
      `the encoding of the database is ${settings.server_encoding}`,
      'make a database with encoding UTF8',
    )
}

async function checkServer(client: Connection, report: Report): Promise<string> {
  const settings = await readSettings(client)
  checkSettings(settings, report)
  const { rows } = await client.query(
    `SELECT pg_is_in_recovery() AS standby, pg_database_size(current_database()) AS size,
       (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections`,
  )
  const [{ standby, size, connections }] = rows
  if (standby)
    report.problem('the database is a standby: nothing can be written', 'set DATABASE_URL to the primary')
  if (connections > 0.8 * Number(settings.max_connections))
    report.warning(
      `${connections} of ${settings.max_connections} connections are taken`,
      'raise max_connections, lower connection_limit, or put PgBouncer in between',
    )
  const mebibytes = (Number(size) / 1024 ** 2).toFixed(1)
  return `the database answers: ${mebibytes} MiB; connected ${client.protection}`
}

async function checkSecret(client: ClientBase, vault: KeyVault, report: Report): Promise<string> {
  const sql = sqlOn(client)
  const deployment = await readDeployment(sql)
  if (!deployment) return 'SALEPROOF_SECRET is set: the first start makes the database with it'
  if (matches(vault, deployment.secretCheck)) checkKeys(await sql.query(selectKeys), vault, report)
  else
    report.problem(
      'SALEPROOF_SECRET is not the one that this database was made with',
      'set it to that one, which is kept apart from the backups; after a rotation, to the new one: no key works without it',
    )
  return 'SALEPROOF_SECRET is the one that this database was made with'
}

export async function checkPostgres({ check }: Examination, options: PostgresOptions) {
  const { databaseUrl, secret, folder, clock, planned } = options
  async function checkOpened(client: Connection) {
    const address = readAddress(databaseUrl)
    await check('database', (report) => checkServer(client, report))
    await check('connections', (report) => checkConnections(client, address, planned, report))
    const migrator = createPostgresMigrator({ address, folder, clock })
    const migrated = await check('migrations', (report) =>
      checkMigrations(migrator, report, 'run "saleproof migrate"'),
    )
    if (migrated) await check('secret', (report) => checkSecret(client, createKeyVault(secret), report))
    return undefined
  }
  // What keeps it from connecting is a problem of the database.
  await check('database', () => withConnection(readAddress(databaseUrl), limits, checkOpened))
}
