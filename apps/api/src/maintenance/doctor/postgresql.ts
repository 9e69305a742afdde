import type { ClientBase } from 'pg'
import { verifyAudit } from '../../audit/read.ts'
import { createKeyVault, type KeyVault } from '../../crypto/key-vault.ts'
import { matches } from '../../crypto/secret.ts'
import { DatabaseError, databaseErrors } from '../../db/errors.ts'
import { readAddress } from '../../db/postgres/address.ts'
import { type Connection, withConnection } from '../../db/postgres/connection.ts'
import { readDeployment } from '../../db/postgres/deployment.ts'
import { createPostgresMigrator } from '../../db/postgres/migrate.ts'
import { rowTypes } from '../../db/postgres/row-types.ts'
import { decryptKey, type StoredKey } from '../secret/reencrypt.ts'
import { errorCode, type Finding, findingsOf } from './finding.ts'
import { migrationsFinding } from './migrations.ts'
import { checkReplicas } from './replicas.ts'

interface PostgresOptions {
  databaseUrl: string
  replicaUrls: readonly string[]
  secret: string | undefined
  /** The migrations of this build for PostgreSQL. */
  folder: string
  clock: () => Date
}

const limits = { lockTimeoutMs: 5000, timeoutMs: 30_000 }
const [oldestMajor, newestMajor] = [15, 18]

type Setting =
  | 'server_version_num'
  | 'fsync'
  | 'full_page_writes'
  | 'synchronous_commit'
  | 'server_encoding'
  | 'max_connections'

async function settingsOf(client: ClientBase): Promise<Record<Setting, string>> {
  const names: Setting[] = [
    ...(['server_version_num', 'fsync', 'full_page_writes', 'synchronous_commit'] as const),
    ...(['server_encoding', 'max_connections'] as const),
  ]
  const { rows } = await client.query('SELECT name, setting FROM pg_settings WHERE name = ANY($1)', [names])
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

/** What is confirmed has to survive a power loss, and texts have to be stored as they are. */
function checkSettings(
  settings: Record<Setting, string>,
  { problem, warning }: ReturnType<typeof findingsOf>,
) {
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

async function checkServer(client: Connection): Promise<Finding[]> {
  const report = findingsOf('database')
  const settings = await settingsOf(client)
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
  return report.all(`the database answers: ${mebibytes} MiB; connected ${client.protection}`)
}

async function unreadableKeys(client: ClientBase, vault: KeyVault): Promise<string[]> {
  const { rows } = await client.query<StoredKey>('SELECT "id", "keyHash", "keyCipher" FROM "ApiKey"')
  return rows.filter((row) => decryptKey(row, vault) === undefined).map(({ id }) => id)
}

async function checkSecret(client: ClientBase, secret: string): Promise<Finding[]> {
  const { problem, all } = findingsOf('secret')
  const vault = createKeyVault(secret)
  const deployment = await readDeployment(client)
  if (!deployment) return all('SALEPROOF_SECRET is set: the first start makes the database with it')
  if (!matches(vault, deployment.secretCheck))
    problem('SALEPROOF_SECRET is not the one that this database was made with', 'start with that one')
  else {
    const bad = await unreadableKeys(client, vault)
    if (bad.length)
      problem(
        `${bad.length} keys cannot be decrypted (${bad.slice(0, 5).join(', ')})`,
        'restore a backup, or revoke them and make new ones',
      )
  }
  return all('SALEPROOF_SECRET is the one that this database was made with')
}

async function checkAudit(client: ClientBase, secret: string): Promise<Finding[]> {
  const vault = createKeyVault(secret)
  if ((await readDeployment(client))?.secretCheck !== vault.check()) return []
  const { problem, all } = findingsOf('audit')
  const select = async <Row>(text: string, ...values: string[]): Promise<Row[]> =>
    (await client.query({ text, values, types: rowTypes })).rows
  const { problem: wrong, last } = await verifyAudit({ select, vault })
  if (wrong)
    problem(
      `the audit log is broken: ${wrong}`,
      'find out who could write to the database; a backup from before holds the log as it was',
    )
  return all(`the audit log is whole: ${last.number} entries`)
}

async function checkOpened(client: Connection, options: PostgresOptions) {
  const { databaseUrl, replicaUrls, secret, folder, clock } = options
  const findings = await checkServer(client)
  const { status } = createPostgresMigrator({ address: readAddress(databaseUrl), folder, clock })
  const migrations = await migrationsFinding(status)
  findings.push(...migrations)
  if (migrations.some(({ state }) => state !== 'ok') || secret === undefined) return findings
  findings.push(...(await checkSecret(client, secret)))
  findings.push(...(await checkAudit(client, secret)))
  findings.push(...(await checkReplicas(client, replicaUrls)))
  return findings
}

/** Looks at a PostgreSQL database and what belongs to it. */
export async function checkPostgres(options: PostgresOptions): Promise<Finding[]> {
  try {
    return await withConnection(readAddress(options.databaseUrl), limits, (client) =>
      checkOpened(client, options),
    )
  } catch (error) {
    const { problem, all } = findingsOf('database')
    if (error instanceof DatabaseError && error.kind !== 'other') {
      const { text, advice } = databaseErrors[error.kind]
      problem(text, `${advice} (${error.reason})`)
    } else problem(`this could not be checked (${errorCode(error)})`, 'look at the database')
    return all('')
  }
}
