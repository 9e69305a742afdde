import type { Client } from 'pg'
import { initAuditLog } from '../../audit/init.ts'
import { checkAudit } from '../../audit/read.ts'
import { appendEvents } from '../../audit/steps.ts'
import { createKeyVault, type KeyVault } from '../../crypto/key-vault.ts'
import { postgresMigrationsFolder } from '../../db/location.ts'
import { requireNoneOf } from '../../db/migration-error.ts'
import { type Address, readAddress } from '../../db/postgres/address.ts'
import { withConnection } from '../../db/postgres/connection.ts'
import { createPostgresMigrator } from '../../db/postgres/migrate.ts'
import { runStepsOn } from '../../db/postgres/row-types.ts'
import { inTransaction, withExclusiveLock, withoutTimeouts } from '../../db/postgres/transactions.ts'
import { runStepsIn } from '../../db/sqlite/connection.ts'
import { takeDatabase } from '../../db/sqlite/lock.ts'
import type { MigratorOptions } from '../../db/sqlite/migrate.ts'
import { markTransferred, requireInUse } from '../../db/sqlite/transferred.ts'
import { UserError } from '../../user-error.ts'
import { loadSecret } from '../secret/load-secret.ts'
import { createDigest, type Digest } from './lines.ts'
import { linesOn, loadOn, requireSameColumns } from './postgres/target.ts'
import { closeFiles, type Databases, linesIn, openFiles, requireMigratedFile, tablesOf } from './source.ts'
import type { Table } from './tables.ts'

/** `migrations` are those for a file. */
export interface TransferOptions extends MigratorOptions {
  databaseUrl: string
  /** `SALEPROOF_SECRET`, where it is set. */
  secret: string | undefined
}

interface Moved extends Digest {
  table: string
}

export interface Transferred {
  moved: readonly Moved[]
  /** What is wrong with the audit log, which was moved unchanged. */
  auditProblem: string | undefined
}

const lockTimeoutMs = 5000

/** Migrates an empty database; any other must be migrated already. */
async function migrateTarget(address: Address, { migrations, clock }: TransferOptions) {
  const migrator = createPostgresMigrator({ address, folder: postgresMigrationsFolder(migrations), clock })
  const { applied, pending } = await migrator.status()
  if (applied.length === 0) await migrator.apply()
  else requireNoneOf(pending, { advice: 'give an empty one, or run "saleproof migrate" first' })
}

/** Migrations insert an empty head of the audit log. */
const rowsOf = (name: string) =>
  name === 'AuditHead' ? `"AuditHead" WHERE "count" > 0 OR "identity" <> ''` : `"${name}"`

async function requireEmpty(client: Client, tables: readonly Table[]) {
  for (const { name } of tables) {
    const { rows } = await client.query(`SELECT EXISTS (SELECT 1 FROM ${rowsOf(name)}) AS held`)
    if (rows[0].held)
      throw new UserError('the database holds a deployment already: give an empty one; nothing was changed')
  }
}

/** The next entry of the audit log follows on those of the file. */
const nextNumber = `SELECT setval('"AuditEntry_number_seq"', (SELECT coalesce(max("number"), 0) + 1 FROM "AuditEntry"), false)`

/** Moves the rows of a table, and reads them again from the target. */
async function moveTable(client: Client, databases: Databases, table: Table): Promise<Moved> {
  const sent = createDigest()
  await loadOn(client, table, sent.passing(linesIn(databases, table)))
  const [one, other] = [sent.digest(), await createDigest().all(linesOn(client, table))]
  if (one.sha256 !== other.sha256)
    throw new UserError(
      `the rows of "${table.name}" would not be the same (${one.rows} and ${other.rows}, SHA-256 ${one.sha256} and ${other.sha256}): nothing was transferred`,
    )
  return { table: table.name, ...one }
}

async function fill(client: Client, databases: Databases, record: () => void): Promise<Moved[]> {
  const tables = tablesOf(databases)
  const each = async (statement: (name: string) => string) => {
    for (const { name } of tables) await client.query(statement(`"${name}"`))
  }
  await requireSameColumns(client, tables)
  await requireEmpty(client, tables)
  // Triggers would change rows, and refuse the head of the audit log.
  await each((name) => `ALTER TABLE ${name} DISABLE TRIGGER USER`)
  record()
  const moved: Moved[] = []
  for (const table of tables) moved.push(await moveTable(client, databases, table))
  await client.query(nextNumber)
  await each((name) => `ALTER TABLE ${name} ENABLE TRIGGER USER`)
  await each((name) => `ANALYZE ${name}`)
  return moved
}

async function transferHeld(
  databases: Databases,
  vault: KeyVault,
  options: TransferOptions,
): Promise<Transferred> {
  const { clock } = options
  const address = readAddress(options.databaseUrl)
  const { main } = databases
  requireInUse(main)
  initAuditLog(main, { vault, clock })
  main.exec('BEGIN IMMEDIATE')
  const record = () => {
    const event = { at: clock(), action: 'transfer', actor: 'cli', subject: 'postgresql' } as const
    runStepsIn(main, appendEvents([event], vault))
  }
  await migrateTarget(address, options)
  const transferred = await withConnection(address, { lockTimeoutMs }, (client) =>
    inTransaction(client, `BEGIN; ${withoutTimeouts}`, async () => {
      await withExclusiveLock(client)
      const moved = await fill(client, databases, record)
      const { problem } = await runStepsOn(client, checkAudit(vault))
      // Recorded before the transfer is committed, as a backup is before it is made.
      main.exec('COMMIT')
      return { moved, auditProblem: problem }
    }),
  )
  // Not earlier: a transfer that fails leaves the file in use.
  markTransferred(main)
  return transferred
}

/** Moves a deployment from its files, which no other process may use meanwhile, to an empty PostgreSQL database: all of it or nothing. */
export async function transferToPostgres(options: TransferOptions): Promise<Transferred> {
  const { databaseFile, secret: given, clock } = options
  requireMigratedFile(options)
  const taken = takeDatabase(databaseFile)
  try {
    const vault = createKeyVault(loadSecret({ databaseFile, given, clock }))
    const databases = openFiles(databaseFile)
    try {
      return await transferHeld(databases, vault, options)
    } finally {
      closeFiles(databases)
    }
  } finally {
    taken.release()
  }
}
