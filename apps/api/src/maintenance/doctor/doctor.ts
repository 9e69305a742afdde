import { existsSync } from 'node:fs'
import { ConfigError, type Environment, loadConfig } from '../../config.ts'
import { databaseFile as fileOf, kindOf, postgresMigrationsFolder } from '../../db/location.ts'
import { createMigrator, type MigratorOptions } from '../../db/sqlite/migrate.ts'
import { version } from '../../package.ts'
import { checkConfiguration } from './configuration.ts'
import { checkDatabase, checkInUse, openForReading } from './database.ts'
import { checkMigrations } from './deployment.ts'
import { checkDisk } from './disk.ts'
import { errorCode, type Finding, findingsOf } from './finding.ts'
import { checkRedis } from './redis.ts'
import { checkSecret } from './secret.ts'

interface DoctorOptions {
  env: Environment
  cwd: string
  cores: number
  /** The migrations of this build. */
  migrations: string
  clock: () => Date
  /** How many instances are to share a PostgreSQL database. */
  instances: number
}

/** The configuration of some variables; undefined if one of them is invalid. */
function configOf(env: Environment, cores: number) {
  try {
    return loadConfig(env, { cores })
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}

/** Reports a check that failed as a problem. */
async function guarded(
  check: Finding['check'],
  make: () => Finding[] | Promise<Finding[]>,
): Promise<Finding[]> {
  try {
    return await make()
  } catch (error) {
    const { problem, all } = findingsOf(check)
    problem(
      `this could not be checked (${errorCode(error)})`,
      'check the owner and the permissions of the files',
    )
    return all('')
  }
}

interface SqliteOptions extends MigratorOptions {
  /** Undefined where the variable is invalid. */
  secret: { given: string | undefined } | undefined
}

async function checkSqlite({ secret, ...options }: SqliteOptions) {
  const { databaseFile } = options
  const findings = await guarded('database', () => checkDatabase(databaseFile))
  const readable = existsSync(databaseFile) && !findings.some(({ state }) => state === 'problem')
  const migrations = readable
    ? await guarded('migrations', () => checkMigrations(createMigrator(options).status))
    : []
  findings.push(...migrations)
  const current = readable && migrations.every(({ state }) => state === 'ok')
  if (current) findings.push(...(await guarded('database', () => openForReading(databaseFile, checkInUse))))
  if (secret) findings.push(...(await guarded('secret', () => checkSecret({ databaseFile, ...secret }))))
  findings.push(...(await guarded('disk', () => checkDisk(databaseFile))))
  return findings
}

/** With PostgreSQL a secret is required; problems with it are reported separately. */
const placeholder = 'no secret, but as long as one has to be'

/** Checks everything that the service needs, and changes nothing. */
export async function examine(options: DoctorOptions): Promise<Finding[]> {
  const { env, cwd, cores, migrations, clock, instances } = options
  const ofBuild: Finding = { check: 'version', state: 'ok', finding: `saleproof ${version}`, advice: null }
  const findings = [ofBuild, ...checkConfiguration(env, { cores })]
  const { DATABASE_URL, SALEPROOF_SECRET } = env
  const { redisUrl } = configOf({ REDIS_URL: env.REDIS_URL }, cores) ?? {}
  if (redisUrl !== undefined) findings.push(...(await checkRedis(redisUrl)))
  const config = configOf({ DATABASE_URL, SALEPROOF_SECRET: placeholder }, cores)
  if (!config) return findings
  const { databaseUrl } = config
  const known = configOf({ SALEPROOF_SECRET }, cores)
  const secret = known && { given: known.secret }
  if (kindOf(databaseUrl) === 'sqlite') {
    const databaseFile = fileOf(databaseUrl, cwd)
    return [...findings, ...(await checkSqlite({ databaseFile, secret, migrations, clock }))]
  }
  const { checkPostgres } = await import('./postgresql.ts')
  const folder = postgresMigrationsFolder(migrations)
  const processes = configOf({ WEB_CONCURRENCY: env.WEB_CONCURRENCY }, cores)?.concurrency ?? cores
  const planned = { instances, processes }
  const checked = await checkPostgres({ databaseUrl, secret: secret?.given, folder, clock, planned })
  return [...findings, ...checked]
}
