import type { Config, Environment } from '../../config.ts'
import { databaseFile, databaseKind, postgresMigrationsFolder } from '../../db/location.ts'
import { version } from '../../package.ts'
import { checkConfiguration } from './configuration.ts'
import { createReport, type Finding, type Report } from './report.ts'
import { checkSqlite } from './sqlite.ts'

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

const refusals = ['NOAUTH', 'WRONGPASS', 'NOPERM']

/** Whether the server of shared limits answers. */
async function checkRedis(url: string, { problem }: Report) {
  const { askRedis } = await import('../../redis.ts')
  const cause = await askRedis(url)
  if (cause !== undefined && refusals.includes(cause))
    problem(
      `Redis refuses REDIS_URL (${cause})`,
      'correct its user or password: until then nothing is limited',
    )
  else if (cause !== undefined)
    problem(
      `Redis does not answer (${cause})`,
      'start it, or correct REDIS_URL: until it answers nothing is limited',
    )
  return 'Redis answers'
}

/** Checks everything that the service needs, and changes nothing. What is configured wrongly is corrected first. */
export async function examine(options: DoctorOptions): Promise<Finding[]> {
  const { env, cwd, cores, migrations, clock, instances } = options
  const report = createReport()
  let config: Config | undefined
  await report.check('version', () => `saleproof ${version}`)
  await report.check('configuration', (found) => {
    config = checkConfiguration(env, cores, found)
    return 'every variable is one that it takes'
  })
  if (!config) return report.findings
  const { databaseUrl, secret, redisUrl, concurrency } = config
  if (redisUrl !== undefined) await report.check('redis', (found) => checkRedis(redisUrl, found))
  if (databaseKind(databaseUrl) === 'sqlite') {
    const file = databaseFile(databaseUrl, cwd)
    await checkSqlite(report, { databaseFile: file, given: secret, migrations, clock })
  } else {
    const { checkPostgres } = await import('./postgresql.ts')
    const planned = { instances, processes: concurrency }
    const folder = postgresMigrationsFolder(migrations)
    await checkPostgres(report, { databaseUrl, secret: secret ?? '', folder, clock, planned })
  }
  return report.findings
}
