import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { secretFile } from '../../crypto/secret.ts'
import { isDamage } from '../../db/errors.ts'
import { usageFilePath } from '../../db/location.ts'
import { hasForeignChanges } from '../../db/sqlite/checkpoint-record.ts'
import { pragmaRows, type SqliteConnection, withSqlite } from '../../db/sqlite/connection.ts'
import { findMissingDatabase } from '../../db/sqlite/lost-file.ts'
import { isTransferred, transferredAdvice, transferredFinding } from '../../db/sqlite/transferred.ts'
import { errorCode, type Finding, findingsOf, type Report } from './finding.ts'

/** A log larger than this is kept by a long-running reader. */
const largeLogBytes = 256 * 1024 * 1024

export const openForReading = <T>(file: string, act: (connection: SqliteConnection) => T): T =>
  withSqlite(file, act, { readonly: true })

const accessible = (file: string) => {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Reads every page: a damaged one goes unnoticed until it is read. */
function checkContent(file: string, { problem }: Report) {
  try {
    const findings = openForReading(file, (connection) => ({
      damage: connection.pragma('quick_check(1)', { simple: true }),
      broken: pragmaRows(connection, 'foreign_key_check').length,
    }))
    if (findings.damage !== 'ok') problem(`${file} is damaged`, 'stop the service and restore a backup')
    if (findings.broken)
      problem(`${findings.broken} rows of ${file} refer to others that are gone`, 'restore a backup')
  } catch (error) {
    const code = errorCode(error)
    const damaged = isDamage(error)
    problem(
      damaged ? `${file} is damaged or no database (${code})` : `${file} cannot be read (${code})`,
      damaged
        ? 'stop the service and restore a backup, or check DATABASE_URL'
        : 'check who owns it and its permissions, and what else has it open',
    )
  }
}

/** Files of an import, backup, restore or rotation that was killed. */
const draftPattern = /^\.(?:import-|restore-|before-[\w-]+\.|secret\.(?:next\.)?)\w{16}/

function checkLeftovers(file: string, { warning }: Report) {
  const drafts = readdirSync(dirname(file)).filter(
    (name) => name.startsWith(basename(file)) && draftPattern.test(name.slice(basename(file).length)),
  )
  if (drafts.length)
    warning(
      `${drafts.join(', ')} was left by a command that was interrupted`,
      'remove it when no command runs',
    )
  if (existsSync(`${file}-journal`))
    warning(`${file}-journal was left by a crash`, 'keep it: the next start takes it in')
  const log = `${file}-wal`
  const logBytes = existsSync(log) ? statSync(log).size : 0
  if (logBytes > largeLogBytes)
    warning(
      `${log} has grown to ${Math.round(logBytes / 1024 ** 2)} MiB`,
      'look for a program that keeps the database open, and restart the service',
    )
}

/** The size of a database in bytes, with the commits that only its log holds. */
export const sizeOf = (file: string) =>
  [file, `${file}-wal`].reduce((sum, each) => sum + (existsSync(each) ? statSync(each).size : 0), 0)

export function checkDatabase(file: string): Finding[] {
  const report = findingsOf('database')
  const { problem, warning, all } = report
  const lost =
    findMissingDatabase(file)?.state ?? (!existsSync(file) && existsSync(secretFile(file)) && 'missing')
  if (lost) {
    problem(
      `${file} is ${lost}, and what belongs to it is there`,
      'restore a backup, or check DATABASE_URL; do not start the service before',
    )
    return all('')
  }
  if (!existsSync(file)) {
    warning(
      `there is no database ${file} yet`,
      'start the service or import something: that makes it; or check DATABASE_URL',
    )
    return all('')
  }
  if (!statSync(file).isFile()) {
    problem(`${file} is not a file`, 'check DATABASE_URL')
    return all('')
  }
  if (hasForeignChanges(file)) {
    problem(
      `${file} was changed by another program, and ${file}-wal holds changes to what it was before`,
      `stop the service; restore a backup, or move ${file}-wal away to use the file as it is`,
    )
    return all('')
  }
  for (const each of [file, usageFilePath(file)]) {
    if (!existsSync(each)) continue
    if (accessible(each)) checkContent(each, report)
    else problem(`${each} may not be read and written by this user`, 'change its owner or permissions')
  }
  checkLeftovers(file, report)
  return all(`${file} is sound: ${(sizeOf(file) / 1024 ** 2).toFixed(1)} MiB`)
}

/** Whether a transfer has moved everything elsewhere. */
export function checkInUse(connection: SqliteConnection): Finding[] {
  if (!isTransferred(connection)) return []
  const { problem, all } = findingsOf('database')
  problem(transferredFinding, transferredAdvice)
  return all('')
}
