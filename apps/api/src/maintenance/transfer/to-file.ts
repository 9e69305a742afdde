import { existsSync, rmSync } from 'node:fs'
import type { Client } from 'pg'
import { checkAudit } from '../../audit/read.ts'
import { appendEvents, renewIdentity } from '../../audit/steps.ts'
import { createKeyVault, type KeyVault } from '../../crypto/key-vault.ts'
import { matches, SecretError } from '../../crypto/secret.ts'
import { postgresMigrationsFolder, usageFilePath } from '../../db/location.ts'
import { requireNoneOf } from '../../db/migration-error.ts'
import { type Address, readAddress } from '../../db/postgres/address.ts'
import { withConnection } from '../../db/postgres/connection.ts'
import { readDeployment } from '../../db/postgres/deployment.ts'
import { createPostgresMigrator } from '../../db/postgres/migrate.ts'
import { runStepsOn } from '../../db/postgres/row-types.ts'
import { inTransaction, withExclusiveLock, withoutTimeouts } from '../../db/postgres/transactions.ts'
import { takeDatabase } from '../../db/sqlite/lock.ts'
import { requireInUse, writeTransferTarget } from '../../db/transferred.ts'
import { giveToOwner, publish, syncToDisk } from '../../files.ts'
import { newId } from '../../ids.ts'
import { UserError } from '../../user-error.ts'
import { type Databases, linesIn, loadInto, tablesOf } from './file-side.ts'
import { dropIndexesAndTriggers, finishDrafts, makeDrafts } from './files.ts'
import { type Moved, moveTables, type Transferred } from './move.ts'
import { linesOn, requireSameColumns } from './postgres/side.ts'
import type { TransferOptions } from './to-postgresql.ts'

const lockTimeoutMs = 5000

function requireNothingAt(databaseFile: string) {
  const there = [databaseFile, `${databaseFile}-wal`, usageFilePath(databaseFile)].filter((file) =>
    existsSync(file),
  )
  const verb = there.length > 1 ? 'are' : 'is'
  if (there.length)
    throw new UserError(
      `${there.join(' and ')} ${verb} there already: choose another file, or move what is there away`,
    )
}

async function requireMigratedSource(address: Address, { migrations, clock }: TransferOptions) {
  const folder = postgresMigrationsFolder(migrations)
  const { applied, pending } = await createPostgresMigrator({ address, folder, clock }).status()
  if (applied.length === 0) throw new UserError('the database is empty: it holds no deployment')
  requireNoneOf(pending, { advice: 'run "saleproof migrate" first' })
}

async function fill(client: Client, databases: Databases): Promise<Moved[]> {
  const tables = tablesOf(databases)
  await requireSameColumns(client, tables)
  const createAgain = dropIndexesAndTriggers(databases)
  for (const database of Object.values(databases)) database.exec('BEGIN')
  const moved = await moveTables(tables, {
    from: (table) => linesOn(client, table),
    load: (table, lines) => loadInto(databases, table, lines),
    to: (table) => linesIn(databases, table),
  })
  createAgain()
  for (const database of Object.values(databases)) database.exec('COMMIT')
  return moved
}

/** Locks before the first read: from then on no other process writes, and every commit is visible. */
async function takeSource(client: Client, databases: Databases, vault: KeyVault, now: Date) {
  const names = tablesOf(databases).map(({ name }) => `"${name}"`)
  await client.query(`LOCK TABLE ${names.join(', ')} IN EXCLUSIVE MODE`)
  await withExclusiveLock(client)
  await runStepsOn(client, requireInUse())
  const deployment = await readDeployment(client)
  if (!deployment) throw new UserError('the database holds no deployment')
  if (!matches(vault, deployment.secretCheck))
    throw new SecretError(
      'SALEPROOF_SECRET is not the one that this database was made with: transfer it with that one',
    )
  const events = [{ at: now, action: 'transfer', actor: 'cli', subject: 'sqlite' }] as const
  await runStepsOn(client, appendEvents(events, vault))
}

async function readInto(
  databases: Databases,
  address: Address,
  { vault, clock }: { vault: KeyVault; clock: () => Date },
): Promise<Transferred> {
  return withConnection(address, { lockTimeoutMs }, (client) =>
    inTransaction(client, `BEGIN ISOLATION LEVEL REPEATABLE READ; ${withoutTimeouts}`, async () => {
      await takeSource(client, databases, vault, clock())
      const moved = await fill(client, databases)
      const { problem } = await runStepsOn(client, checkAudit(vault))
      // An instance that was overlooked must not continue to serve this database.
      await runStepsOn(client, renewIdentity({ from: vault, to: vault }, newId()))
      return { moved, auditProblem: problem }
    }),
  )
}

async function transferTo(draft: string, options: TransferOptions): Promise<Transferred> {
  const { databaseUrl, databaseFile, migrations, clock } = options
  const secret = options.secret
  if (secret === undefined) throw new SecretError('SALEPROOF_SECRET has to be set to use PostgreSQL')
  const address = readAddress(databaseUrl)
  await requireMigratedSource(address, options)
  const databases = makeDrafts({ databaseFile: draft, migrations, clock })
  let transferred: Transferred
  try {
    transferred = await readInto(databases, address, { vault: createKeyVault(secret), clock })
    finishDrafts(databases)
  } finally {
    for (const database of Object.values(databases)) database.close()
  }
  for (const file of [draft, usageFilePath(draft)]) {
    giveToOwner(file, databaseFile)
    syncToDisk(file)
  }
  // The database last: until then the transfer has no effect.
  publish(usageFilePath(draft), usageFilePath(databaseFile))
  if (!publish(draft, databaseFile)) requireNothingAt(databaseFile)
  await withConnection(address, { lockTimeoutMs }, (client) =>
    runStepsOn(client, writeTransferTarget('sqlite')),
  )
  return transferred
}

/** Moves a deployment from PostgreSQL, which no other process may use meanwhile, to a new file: all of it or nothing. */
export async function transferToFile(options: TransferOptions): Promise<Transferred> {
  const { databaseFile } = options
  requireNothingAt(databaseFile)
  const taken = takeDatabase(databaseFile, { toReplace: true })
  const draft = `${databaseFile}.transfer-${newId()}`
  try {
    return await transferTo(draft, options)
  } finally {
    for (const file of [draft, usageFilePath(draft)])
      for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
    taken.release()
  }
}
