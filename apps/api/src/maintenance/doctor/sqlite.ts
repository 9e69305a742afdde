import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { usageFilePath } from '../../db/location.ts'
import type { Sql } from '../../db/sql.ts'
import { findForeignChanges } from '../../db/sqlite/checkpoint-record.ts'
import { findLostCommits } from '../../db/sqlite/commit-record.ts'
import { withFile } from '../../db/sqlite/file.ts'
import { findMissingDatabase } from '../../db/sqlite/lost-file.ts'
import { createSqliteMigrator, type MigratorOptions } from '../../db/sqlite/migrate.ts'
import { isTransferred, transferredAdvice, transferredFinding } from '../../db/sqlite/transferred.ts'
import { secretFile } from '../../files.ts'
import { checkMigrations } from './deployment.ts'
import { checkDisk, sizeOf } from './disk.ts'
import type { Examination, Report } from './report.ts'
import { checkSecret } from './secret.ts'

/** A log larger than this is kept by a long-running reader. */
const largeLogBytes = 256 * 1024 * 1024

const accessible = (file: string) => {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Reads every page: a damaged one goes unnoticed until it is read. */
async function checkContent(file: string, { problem }: Report) {
  const read = async ({ query }: Sql) =>
    [
      await query<{ quick_check: string }>('PRAGMA quick_check(1)'),
      await query('PRAGMA foreign_key_check'),
    ] as const
  const [[found], broken] = await withFile(file, read, { readonly: true })
  if (found?.quick_check !== 'ok') problem(`${file} is damaged`, 'stop the service and restore a backup')
  if (broken.length)
    problem(`${broken.length} rows of ${file} refer to others that are gone`, 'restore a backup')
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

async function checkDatabase(file: string, report: Report) {
  const { problem, warning } = report
  const lost =
    findMissingDatabase(file)?.state ?? (!existsSync(file) && existsSync(secretFile(file)) && 'missing')
  if (lost)
    return problem(
      `${file} is ${lost}, and what belongs to it is there`,
      'restore a backup, or check DATABASE_URL; do not start the service before',
    )
  if (!existsSync(file))
    return warning(
      `there is no database ${file} yet`,
      'start the service or import something: that makes it; or check DATABASE_URL',
    )
  if (!statSync(file).isFile()) return problem(`${file} is not a file`, 'check DATABASE_URL')
  const changes = findForeignChanges(file)
  if (changes) return problem(changes.finding, changes.advice)
  const lostCommits = findLostCommits(file)
  if (lostCommits) problem(lostCommits.finding, lostCommits.advice)
  for (const each of [file, usageFilePath(file)].filter((name) => existsSync(name)))
    if (accessible(each)) await checkContent(each, report)
    else problem(`${each} may not be read and written by this user`, 'change its owner or permissions')
  checkLeftovers(file, report)
}

/** Checks a database that is a file, and what belongs to it. */
export async function checkSqlite(
  { check }: Examination,
  options: MigratorOptions & { given: string | undefined },
) {
  const { databaseFile: file } = options
  const sound = await check('database', async (report) => {
    await checkDatabase(file, report)
    return `${file} is sound: ${(sizeOf(file) / 1024 ** 2).toFixed(1)} MiB`
  })
  if (sound && existsSync(file)) {
    const migrated = await check('migrations', (report) =>
      checkMigrations(createSqliteMigrator(options), report, 'run "saleproof migrate", or start the service'),
    )
    if (migrated)
      await check('database', async ({ problem }) => {
        if (await withFile(file, isTransferred, { readonly: true }))
          problem(transferredFinding, transferredAdvice)
        return undefined
      })
  }
  await check('secret', (report) => checkSecret(options, report))
  await check('disk', (report) => checkDisk(file, report))
}
