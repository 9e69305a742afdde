import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { createKeyVault } from '../../crypto/key-vault.ts'
import { findSecret, findSecretFile, matches, recoverRotation } from '../../crypto/secret.ts'
import { readDeployment } from '../../db/deployment.ts'
import { isDamage } from '../../db/errors.ts'
import { usageFilePath } from '../../db/location.ts'
import { MigrationError } from '../../db/migration-history.ts'
import type { Sql } from '../../db/sql.ts'
import { findForeignChanges, forgetRecord } from '../../db/sqlite/checkpoint-record.ts'
import { withFile } from '../../db/sqlite/file.ts'
import { lockExclusive } from '../../db/sqlite/lock.ts'
import { findMissingDatabase } from '../../db/sqlite/lost-file.ts'
import { createSqliteMigrator, type MigratorOptions } from '../../db/sqlite/migrate.ts'
import { appendAudit } from '../../domain/audit-log.ts'
import { explainFileError, giveToOwner, keepAs, syncToDisk } from '../../files.ts'
import { newId } from '../../ids.ts'
import { UserError } from '../../user-error.ts'
import { copyPlain, extract } from './backup-file.ts'
import { compareWithBackup, type DataLoss, lastNumber } from './newer-data.ts'

interface RestoreOptions extends MigratorOptions {
  /** The backup. */
  source: string
  /** `SALEPROOF_SECRET`, where it is set. */
  secret: string | undefined
  /** Whether to replace a database that may hold newer data. The replaced one is kept in any case. */
  force: boolean
  /** Whether the source is a plain copy of a database, which has no checksum, instead of a backup. */
  plain?: boolean
}

async function requireSound({ query }: Sql, source: string) {
  const [found] = await query<{ integrity_check: string }>('PRAGMA integrity_check(1)')
  const broken = await query('PRAGMA foreign_key_check')
  if (found?.integrity_check !== 'ok' || broken.length)
    throw new UserError(`${source} holds a damaged database: use another backup`)
}

/** The migrations that the backup lacks, after a check that it is not newer than this build. */
async function readPending(draft: string, options: RestoreOptions): Promise<string[]> {
  try {
    const { applied, pending } = await createSqliteMigrator({ ...options, databaseFile: draft }).status()
    if (applied.length === 0)
      throw new UserError('the backup holds no database of Saleproof: use another one')
    return pending
  } catch (error) {
    throw error instanceof MigrationError
      ? new UserError(`the backup cannot be restored: ${error.message}`)
      : error
  }
}

function adviceFor(databaseFile: string, secretCheck: unknown) {
  const kept = findSecretFile(databaseFile, secretCheck)
  return kept ? `${kept} is: put that one in its place` : 'put that one there, or set SALEPROOF_SECRET to it'
}

/** Whether SQLite would apply the log to the database that it belongs to, and not delete it. */
const mayOpen = (databaseFile: string) =>
  !findMissingDatabase(databaseFile) && !findForeignChanges(databaseFile)

/** A secret whose rotation was interrupted is the current one, if the current database says so. */
async function recoverInterrupted(databaseFile: string, clock: () => Date) {
  if (!mayOpen(databaseFile)) return
  try {
    const deployment = await withFile(databaseFile, readDeployment, { timeoutMs: 0 })
    if (deployment) recoverRotation({ databaseFile, clock }, deployment.secretCheck)
  } catch {
    // The database to replace may be damaged or missing.
  }
}

/** Whether the secret of the backup is available. Another one is refused: no key would work with it. */
async function requireItsSecret(
  sql: Sql,
  { databaseFile, secret: given, clock }: RestoreOptions,
): Promise<boolean> {
  const stored = (await readDeployment(sql))?.secretCheck
  await recoverInterrupted(databaseFile, clock)
  const secret = findSecret({ databaseFile, given })
  if (secret === undefined) return stored === undefined
  if (stored === undefined || matches(createKeyVault(secret), stored)) return true
  const [source, advice] = given
    ? ['SALEPROOF_SECRET', 'set it to that one']
    : [`the secret in ${databaseFile}.secret`, adviceFor(databaseFile, stored)]
  throw new UserError(`${source} is not the one that the backup was made with: ${advice}, then restore again`)
}

/** What would be lost. Opening the database also moves a write-ahead log that a crash left into it. */
async function lossIn(databaseFile: string, backup: string): Promise<DataLoss> {
  if (!existsSync(databaseFile)) return 'nothing'
  if (!mayOpen(databaseFile)) return 'unknown'
  try {
    return await withFile(databaseFile, (sql) => compareWithBackup(sql, backup), { exclusive: true })
  } catch (error) {
    // A damaged one may still contain data worth saving.
    if (isDamage(error)) return 'unknown'
    throw error
  }
}

function requireNoLoss(loss: DataLoss, databaseFile: string, created: string) {
  if (loss === 'nothing') return
  const state =
    loss === 'changes'
      ? `holds changes that the backup of ${created} does not`
      : `cannot be compared with the backup of ${created}, and may hold what that does not`
  throw new UserError(
    `the database ${databaseFile} ${state}: to replace it all the same, add --force (it is kept beside)`,
  )
}

/** The last id of the database to replace, if that can be read. */
async function replacedWorkspaceId(databaseFile: string): Promise<number> {
  if (!existsSync(databaseFile) || !mayOpen(databaseFile)) return 0
  return withFile(databaseFile, (sql) => lastNumber(sql, 'Workspace')).catch(() => 0)
}

/** Logs name workspaces by their ids: that of one which was created after the backup is not used again. */
async function skipWorkspaceIds(sql: Sql, databaseFile: string) {
  const last = Math.max(await lastNumber(sql, 'Workspace'), await replacedWorkspaceId(databaseFile))
  await sql.run(`DELETE FROM sqlite_sequence WHERE name = 'Workspace'`)
  await sql.run(`INSERT INTO sqlite_sequence (name, seq) VALUES ('Workspace', $1)`, last)
}

/**
 * An ETag from before the restore must not match a response from after it. Sessions and reset links end: one may have been signed out or
 * used after the backup was made.
 */
async function renew(sql: Sql, created: string, at: Date) {
  await sql.run('PRAGMA synchronous = FULL')
  await sql.run('UPDATE "Deployment" SET "identity" = $1 WHERE "id" = 1', newId())
  await sql.run('DELETE FROM "Session"')
  await sql.run('DELETE FROM "ResetLink"')
  await appendAudit(sql, { at, action: 'restore', actor: 'cli', subject: created })
  await sql.run('PRAGMA journal_mode = WAL')
}

const leftovers = ['-wal', '-shm', '-journal'] as const

/**
 * Replaces a file by another in one step, and renames the old one. A write-ahead log that a crash left goes with it: SQLite would apply it
 * to the new one.
 */
function replace(file: string, draft: string | undefined, kept: string): boolean {
  const existed = existsSync(file)
  if (existed) keepAs(file, kept)
  for (const suffix of leftovers) if (existsSync(file + suffix)) renameSync(file + suffix, kept + suffix)
  syncToDisk(dirname(file))
  if (draft) renameSync(draft, file)
  else rmSync(file, { force: true })
  syncToDisk(dirname(file))
  return existed
}

function checkDraft(draft: string, options: RestoreOptions) {
  return withFile(draft, async (sql) => {
    await requireSound(sql, options.source)
    const pending = await readPending(draft, options)
    return { pending, hasSecret: await requireItsSecret(sql, options) }
  })
}

async function restoreInto(drafts: { database: string; usage: string }, options: RestoreOptions) {
  const { databaseFile, source, force, plain, clock } = options
  const { created } = await (plain ? copyPlain : extract)(source, drafts)
  const { pending, hasSecret } = await checkDraft(drafts.database, options)
  const loss = await lossIn(databaseFile, drafts.database)
  if (!force) requireNoLoss(loss, databaseFile, created)
  await withFile(drafts.database, async (sql) => {
    await renew(sql, created, clock())
    await skipWorkspaceIds(sql, databaseFile)
  })
  const usage = existsSync(drafts.usage) ? drafts.usage : undefined
  for (const draft of [drafts.database, usage])
    if (draft) {
      giveToOwner(draft, databaseFile)
      syncToDisk(draft)
    }
  const kept = `${databaseFile}.before-restore-${clock().toISOString().replace(/\D/g, '').slice(0, 17)}`
  forgetRecord(databaseFile)
  // The database last: until then the restore has no effect.
  replace(usageFilePath(databaseFile), usage, usageFilePath(kept))
  const existed = replace(databaseFile, drafts.database, kept)
  return { created, kept: existed ? kept : undefined, pending, hasSecret }
}

/**
 * Replaces the database, which no other process may use meanwhile, by a backup. Gives when that was made, the path of the replaced database,
 * and which migrations the backup lacks.
 */
export async function restoreBackup(options: RestoreOptions) {
  const { databaseFile, source } = options
  const taken = lockExclusive(databaseFile, { toReplace: true })
  const database = `${databaseFile}.restore-${newId()}`
  const drafts = { database, usage: usageFilePath(database) }
  try {
    return await restoreInto(drafts, options)
  } catch (error) {
    throw explainFileError(error, source)
  } finally {
    for (const draft of Object.values(drafts))
      for (const suffix of ['', ...leftovers]) rmSync(draft + suffix, { force: true })
    taken.release()
  }
}
