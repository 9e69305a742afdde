import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { usageFilePath } from '../../db/location.ts'
import type { Sql } from '../../db/sql.ts'
import { withFile } from '../../db/sqlite/file.ts'
import { lockShared } from '../../db/sqlite/lock.ts'
import { appendAudit } from '../../domain/audit-log.ts'
import { explainFileError, publish, syncToDisk } from '../../files.ts'
import { newId } from '../../ids.ts'
import { UserError } from '../../user-error.ts'
import { finishBackup } from './backup-file.ts'

interface BackupOptions {
  databaseFile: string
  /** The file to create. It must not exist. */
  target: string
  clock: () => Date
}

/** A copy may wait for a process that locks the database. */
const waiting = { timeoutMs: 15_000 }

/**
 * Records a backup before it is made, so that the backup holds the record too. Gives false where that is impossible: a backup is needed
 * most where the disk is full or the schema is another one.
 */
async function record(databaseFile: string, at: Date): Promise<boolean> {
  try {
    await withFile(databaseFile, async (sql) => {
      await sql.run('PRAGMA synchronous = FULL')
      await appendAudit(sql, { at, action: 'backup', actor: 'cli' })
    })
    return true
  } catch {
    return false
  }
}

const isOurs = async ({ query }: Sql) =>
  (await query(`SELECT 1 FROM sqlite_master WHERE name = '_prisma_migrations'`)).length > 0

/**
 * Copies one state of a database, as of now, without keeping its writers waiting. SQLite's page-wise backup starts again with each commit
 * of another process; and a copy made so holds no page with what was erased.
 */
async function copy(file: string, draft: string) {
  closeSync(openSync(draft, 'wx', 0o600))
  await withFile(file, ({ run }) => run('VACUUM INTO $1', draft), waiting)
}

/** Makes a backup of a database, which may be served meanwhile, and of its usage file. The secret is not in it. Whether it was recorded. */
export async function createBackup({ databaseFile, target, clock }: BackupOptions): Promise<boolean> {
  if (existsSync(target)) throw new UserError(`there is a file ${target} already: choose another name`)
  if (!existsSync(databaseFile))
    throw new UserError(`there is no database ${databaseFile}: set DATABASE_URL to the one to back up`)
  const held = lockShared(databaseFile)
  // Beside the target and with its name, so that the purpose of a leftover file is clear.
  const draft = `${target}.${newId()}`
  const usageDraft = `${draft}.usage`
  const usage = usageFilePath(databaseFile)
  const hasUsage = existsSync(usage)
  try {
    if (!(await withFile(databaseFile, isOurs, waiting)))
      throw new UserError(`${databaseFile} is not a database of Saleproof`)
    const isRecorded = await record(databaseFile, clock())
    const created = clock()
    await copy(databaseFile, draft)
    if (hasUsage) await copy(usage, usageDraft)
    await finishBackup({ draft, usageCopy: hasUsage ? usageDraft : undefined }, created)
    syncToDisk(draft)
    if (!publish(draft, target)) throw new UserError(`there is a file ${target} already: choose another name`)
    return isRecorded
  } catch (error) {
    throw explainFileError(error, target)
  } finally {
    for (const file of [draft, `${draft}-journal`, usageDraft, `${usageDraft}-journal`])
      rmSync(file, { force: true })
    held.release()
  }
}
