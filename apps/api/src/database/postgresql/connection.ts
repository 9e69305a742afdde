import pg from 'pg'
import { type Address, type SessionLimits, sessionOf } from './address.ts'

/** What the driver gives for anything but an answer gets this name: it throws plain errors for most of it. */
const errorName = 'PostgresError'

function named(error: unknown): unknown {
  if (error instanceof Error) error.name = errorName
  return error
}

type Callback = (error: unknown, ...results: unknown[]) => void

/** Names the errors of a call of the driver, which takes a callback or gives a promise. */
function naming(call: (...args: unknown[]) => unknown, args: unknown[], settled: () => void = () => {}) {
  const callback = args.at(-1)
  if (typeof callback === 'function') {
    return call(...args.slice(0, -1), (error: unknown, ...results: unknown[]) => {
      settled()
      ;(callback as Callback)(error && named(error), ...results)
    })
  }
  const result = call(...args)
  if (!(result instanceof Promise)) return result
  return result.finally(settled).catch((error) => {
    throw named(error)
  })
}

const untilYearOne = / BC$/

/** The year before 0001, which PostgreSQL writes as 0001 BC and ISO 8601 as 0000. */
export const isoYear = (moment: string) =>
  untilYearOne.test(moment) ? moment.replace(/^0001/, '0000').replace(untilYearOne, '') : moment

const momentType = 1184

/** Parsers that read the year 0000, around those that a query brings. */
function readingYearZero(types: pg.CustomTypesConfig): pg.CustomTypesConfig {
  return {
    getTypeParser(id: number, format?: string) {
      const parse = types.getTypeParser(id, format as 'text')
      return id === momentType ? (text: string) => parse(isoYear(text)) : parse
    },
  } as pg.CustomTypesConfig
}

/** How often a connection looks whether it waits too long. */
const watchEveryMs = 100

/**
 * A connection on which no answer is waited for longer than a time: past it the connection is given up, and everybody who waits on it
 * learns that. A server that is gone without a word would be waited for until the system's patience ends.
 */
export class Connection extends pg.Client {
  readonly #patienceMs: number
  /** Since when each question waits, in their order, which is that of the answers. */
  readonly #waiting: number[] = []
  #watch: NodeJS.Timeout | undefined

  constructor(config: pg.ClientConfig & { patienceMs?: number }) {
    super(config)
    this.#patienceMs = config.patienceMs ?? Number.POSITIVE_INFINITY
  }

  #look() {
    const [since] = this.#waiting
    if (since === undefined) {
      clearInterval(this.#watch)
      this.#watch = undefined
    } else if (performance.now() - since > this.#patienceMs) {
      const { stream } = (this as unknown as { connection: { stream: { destroy(error: Error): void } } })
        .connection
      stream.destroy(Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' }))
    }
  }

  // The driver's signatures are many; what is given is passed on as it is.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  override query(...args: any[]): any {
    const [config] = args
    if (config?.types) args[0] = { ...config, types: readingYearZero(config.types) }
    const call = super.query.bind(this) as (...args: unknown[]) => unknown
    if (this.#patienceMs === Number.POSITIVE_INFINITY) return naming(call, args)
    this.#waiting.push(performance.now())
    this.#watch ??= setInterval(() => this.#look(), watchEveryMs).unref()
    return naming(call, args, () => void this.#waiting.shift())
  }
}

class NamingPool extends pg.Pool {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  override connect(...args: any[]): any {
    return naming(super.connect.bind(this) as (...args: unknown[]) => unknown, args)
  }
}

export interface ConnectionOptions extends SessionLimits {
  /** How long an answer is waited for; without it as long as it takes. */
  patienceMs?: number | undefined
}

/** How long a connection may take to be there: made, or given back by somebody else. */
const connectWithinMs = 2000

const clientConfig = (address: Address, limits: ConnectionOptions) => ({
  connectionString: address.connectionString,
  keepAlive: true,
  application_name: 'saleproof',
  connectionTimeoutMillis: connectWithinMs,
  patienceMs: limits.patienceMs,
  ...sessionOf(address, limits),
})

/** Connections for whoever asks, at most as many as the address says. */
export function createPool(address: Address, limits: ConnectionOptions): pg.Pool {
  const pool = new NamingPool({
    ...clientConfig(address, limits),
    max: address.poolSize,
    Client: Connection,
  } as unknown as pg.PoolConfig)
  // A connection that breaks while nobody uses it is no news: the pool makes another.
  pool.on('error', () => {})
  return pool
}

/** One connection, for as long as something takes. */
export async function withConnection<T>(
  address: Address,
  limits: ConnectionOptions,
  act: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { onConnect, ...config } = clientConfig(address, limits)
  const client = new Connection(config as pg.ClientConfig)
  // Whoever waits for an answer learns of it from that.
  client.on('error', () => {})
  try {
    await client.connect()
    await onConnect?.(client)
    return await act(client)
  } catch (error) {
    throw error instanceof Error && 'severity' in error ? named(error) : error
  } finally {
    await client.end()
  }
}
