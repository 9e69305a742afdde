import { locales, shapes } from '@saleproof/schema'
import proxyAddr from 'proxy-addr'
import { InvalidValue, integer, oneOf, type Parse, takes } from './config-readers.ts'
import { databaseKind } from './db/location.ts'
import { takeTls } from './db/postgres/tls-parameters.ts'
import { readTracing } from './observability/tracing/tracing-config.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A number of proxies, or their CIDR blocks. */
export type TrustProxy = number | readonly string[]

/** Undefined for no limit. */
export type Limit = { count: number; seconds: number } | undefined

/** Variables are invalid. Each problem is a line that names the variable and the values it takes. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

const limit: Parse<Limit> = (text) => {
  if (text === 'off') return undefined
  const match = /^([1-9]\d{0,8})\/([1-9]\d{0,5})$/.exec(text)
  return match
    ? { count: Number(match[1]), seconds: Number(match[2]) }
    : takes('a number of requests per seconds, such as 600/60, or off')
}

/** Twenty times the failures in ten times the time, so that one address cannot use up the limit of all. */
const forAllAddresses = (limit: Limit): Limit =>
  limit && { count: limit.count * 20, seconds: limit.seconds * 10 }

const publicUrl: Parse<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const plain =
    url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password
  return plain
    ? url.href.replace(/\/+$/, '')
    : takes('an absolute http(s) URL without a query, such as https://shop.example/api')
}

const postgresAddress = 'postgresql://user:password@host:5432/database'

/** An unescaped `/` or `#` in a password would move the rest of the address to its path or hash. */
function isServer(text: string) {
  if (!URL.canParse(text) || /%(?![0-9a-f]{2})/i.test(text)) return false
  const { hostname, pathname, hash } = new URL(text)
  return !hostname.includes(',') && pathname.length > 1 && !pathname.includes('@') && hash === ''
}

const postgresUrl: Parse<string> = (text) => {
  if (databaseKind(text) !== 'postgresql' || !isServer(text))
    return takes(`${postgresAddress} of one server, with @ / # ? % of a password as %40 %2F %23 %3F %25`)
  takeTls(new URL(text))
  return text
}

const databaseUrl: Parse<string> = (text) => {
  if (databaseKind(text) === 'postgresql') return postgresUrl(text)
  return /^file:(?!\/\/[^/])./.test(text)
    ? text
    : takes(`the path of an SQLite file, such as file:./data/saleproof.db, or ${postgresAddress}`)
}

const redisUrl: Parse<string> = (text) =>
  /^rediss?:\/\/./.test(text) && URL.canParse(text) ? text : takes('redis://host:port')

const secret: Parse<string> = (text) => (text.length >= 32 ? text : takes('at least 32 characters'))

const token: Parse<string> = (text) =>
  /^[\x21-\x7e]{16,}$/.test(text) ? text : takes('at least 16 visible ASCII characters')

const trustProxy: Parse<TrustProxy> = (text) => {
  if (text === 'false') return []
  if (/^\d{1,3}$/.test(text)) return Number(text)
  const blocks = text.split(',').map((block) => block.trim())
  try {
    proxyAddr.compile(blocks)
    return blocks
  } catch {
    return takes('false, a number of proxies, or a comma list of CIDR blocks such as 10.0.0.0/8')
  }
}

const usesPgbouncer = (url: string) => /[?&]pgbouncer=true(?:&|$)/.test(url)

/** Problems with combinations of the PostgreSQL variables. */
function problemsOfPostgres(
  { databaseUrl, directUrl }: { databaseUrl: string; directUrl: string | undefined },
  env: Environment,
): string[] {
  const problems: string[] = []
  if (databaseKind(databaseUrl) !== 'postgresql') {
    if (directUrl) problems.push('DATABASE_URL takes postgresql://… where DATABASE_DIRECT_URL is set')
    return problems
  }
  // With SQLite, a secret is generated in a file beside the database.
  if (!env.SALEPROOF_SECRET)
    problems.push('SALEPROOF_SECRET takes at least 32 characters, and has to be set with PostgreSQL')
  if (usesPgbouncer(databaseUrl) && !env.DATABASE_DIRECT_URL)
    problems.push(
      'DATABASE_DIRECT_URL takes the address of the server behind PgBouncer, which imports need, and has to be set with pgbouncer=true',
    )
  return problems
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/**
 * Parses the environment. Pure: it reads nothing else. An empty variable counts as not set. Throws a `ConfigError` with all problems at
 * once.
 */
export function loadConfig(env: Environment, { cores }: { cores: number }) {
  const problems: string[] = []
  function read<T, D>(name: string, parse: Parse<T>, fallback: D): T | D {
    const text = env[name]
    if (text === undefined || text === '') return fallback
    try {
      return parse(text)
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error
      problems.push(`${name} takes ${error.message}`)
      return fallback
    }
  }
  const given = {
    host: read('HOST', (text) => (/\s/.test(text) ? takes('an address or a host name') : text), '127.0.0.1'),
    port: read('PORT', integer(0, 65535), 3000),
    publicUrl: read('PUBLIC_URL', publicUrl, undefined),
    databaseUrl: read('DATABASE_URL', databaseUrl, 'file:./data/saleproof.db'),
    // The same database without PgBouncer.
    directUrl: read('DATABASE_DIRECT_URL', postgresUrl, undefined),
    secret: read('SALEPROOF_SECRET', secret, undefined),
    shape: read('SALEPROOF_SHAPE', oneOf(shapes), 'base'),
    locale: read('SALEPROOF_LOCALE', oneOf(locales), 'en'),
    rateLimit: read('SALEPROOF_RATE_LIMIT', limit, { count: 600, seconds: 60 }),
    failureLimit: read('SALEPROOF_FAILURE_LIMIT', limit, { count: 30, seconds: 60 }),
    // Password attempts, per address and per account.
    signInLimit: read('SALEPROOF_SIGN_IN_LIMIT', limit, { count: 10, seconds: 600 }),
    concurrency: read('WEB_CONCURRENCY', integer(1, 512), cores),
    // Per process.
    maxConnections: read('SALEPROOF_MAX_CONNECTIONS', integer(1, 1_000_000), 10_000),
    redisUrl: read('REDIS_URL', redisUrl, undefined),
    trustProxy: read('TRUST_PROXY', trustProxy, []),
    // In days.
    auditRetention: read('SALEPROOF_AUDIT_RETENTION', integer(1, 36_500), undefined),
    adminToken: read('ADMIN_TOKEN', token, undefined),
    metricsToken: read('METRICS_TOKEN', token, undefined),
    logLevel: read('LOG_LEVEL', oneOf(logLevels), 'info'),
    // Without it, Prisma runs all queries.
    fastPath: read('SALEPROOF_FAST_PATH', oneOf(['on', 'off']), 'on') === 'on',
    production: env.NODE_ENV === 'production',
    // Undefined where no collector is configured.
    tracing: readTracing(read),
  }
  // Failures of a key from all addresses.
  const keyFailureLimit = read('SALEPROOF_KEY_FAILURE_LIMIT', limit, forAllAddresses(given.failureLimit))
  problems.push(...problemsOfPostgres(given, env))
  if (problems.length) throw new ConfigError(problems)
  return { ...given, keyFailureLimit }
}

export type Config = ReturnType<typeof loadConfig>

/** The names of all variables. */
export function variableNames(): string[] {
  const names = new Set<string>()
  const get = (_: unknown, name: string) => void names.add(name)
  loadConfig(new Proxy<Environment>({}, { get }), { cores: 1 })
  return [...names]
}

/** Variables with our prefix that nothing reads: most likely a typo. */
export function unreadVariables(env: Environment): string[] {
  const names = variableNames()
  return Object.keys(env).filter((name) => name.startsWith('SALEPROOF_') && !names.includes(name))
}
