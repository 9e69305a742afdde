import { existsSync } from 'node:fs'
import { ConfigError, type Environment, loadConfig } from '../config.ts'
import { databaseFile as fileOf } from '../database/location.ts'
import { checkAudit } from './audit.ts'
import { checkConfiguration } from './configuration.ts'
import { checkDatabase, checkMigrations } from './database.ts'
import { checkDisk } from './disk.ts'
import { errorCode, type Finding, findingsOf } from './finding.ts'
import { checkSecret } from './secret.ts'

interface DoctorOptions {
  env: Environment
  cwd: string
  cores: number
  /** The migrations of this build. */
  migrations: string
  clock: () => Date
}

/** The configuration that a few of the variables make; undefined where one of them is wrong. */
function configOf(env: Environment, cores: number) {
  try {
    return loadConfig(env, { cores })
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}

/** A check that cannot be made has found something too. */
function guarded(check: Finding['check'], make: () => Finding[]): Finding[] {
  try {
    return make()
  } catch (error) {
    const { problem, all } = findingsOf(check)
    problem(
      `this could not be checked (${errorCode(error)})`,
      'check the owner and the permissions of the files',
    )
    return all('')
  }
}

/** Looks at everything that the service needs, and changes nothing. */
export function examine({ env, cwd, cores, migrations: folder, clock }: DoctorOptions): Finding[] {
  const { DATABASE_URL, SALEPROOF_SECRET } = env
  const findings = checkConfiguration(env, { cores })
  const place = configOf({ DATABASE_URL }, cores)
  if (!place) return findings
  const databaseFile = fileOf(place.databaseUrl, cwd)
  const database = guarded('database', () => checkDatabase(databaseFile))
  findings.push(...database)
  const readable = existsSync(databaseFile) && !database.some(({ state }) => state === 'problem')
  const migrations = readable
    ? guarded('migrations', () => checkMigrations(databaseFile, { folder, clock }))
    : []
  findings.push(...migrations)
  const secret = configOf({ SALEPROOF_SECRET }, cores)
  if (secret) findings.push(...guarded('secret', () => checkSecret({ databaseFile, given: secret.secret })))
  const current = readable && migrations.every(({ state }) => state === 'ok')
  if (secret && current)
    findings.push(...guarded('audit', () => checkAudit({ databaseFile, given: secret.secret })))
  findings.push(...guarded('disk', () => checkDisk(databaseFile)))
  return findings
}
