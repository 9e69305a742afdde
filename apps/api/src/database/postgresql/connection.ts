import pg from 'pg'
import { type Address, type SessionLimits, sessionOf } from './address.ts'
import { requirePrimary } from './primary.ts'
import { createTurns, type Turns } from './turns.ts'

/** What the driver gives for anything but an answer gets this name: it throws plain errors for most of it. */
const errorName = 'PostgresError'

/** What the driver, which gives most of its own errors no code, could not get. */
const noConnection = 'NO_CONNECTION'

export function named(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  error.name = errorName
  const coded = error as Error & { code?: string }
  coded.code ??= noConnection
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
    // Whoever waits for an answer learns of it from that; without a listener the process would end between two questions.
    this.on('error', () => {})
  }

  // A pool gives the error that is emitted to whoever asks.
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'error') named(args[0])
    return (super.emit as (event: string | symbol, ...args: unknown[]) => boolean)(event, ...args)
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
    // A cursor or a copy: no question with one answer.
    if (typeof config?.submit === 'function') return super.query(config)
    if (config?.types) args[0] = { ...config, types: readingYearZero(config.types) }
    const call = super.query.bind(this) as (...args: unknown[]) => unknown
    return naming(call, args, this.expectAnswer())
  }

  /** To be told of each question that is sent in another way than by `query`; gives what is to be called with its answer. */
  expectAnswer(): () => void {
    if (this.#patienceMs === Number.POSITIVE_INFINITY) return () => {}
    this.#waiting.push(performance.now())
    this.#watch ??= setInterval(() => this.#look(), watchEveryMs).unref()
    return () => void this.#waiting.shift()
  }
}

export interface ConnectionOptions extends SessionLimits {
  /** How long an answer is waited for; without it as long as it takes. */
  patienceMs?: number | undefined
}

/** How long a connection may take to be there: made, or given back by somebody else. */
const connectWithinMs = 2000

const clientConfig = (address: Address, limits: ConnectionOptions & { pipeline?: boolean }) => ({
  keepAlive: true,
  application_name: 'saleproof',
  connectionTimeoutMillis: connectWithinMs,
  patienceMs: limits.patienceMs,
  pipeline: limits.pipeline,
  ...sessionOf(address, limits),
})

/** Refuses a connection that is not of the database that is asked for. */
type Check = (client: pg.ClientBase) => Promise<void>

/** Connections for whoever asks, at most as many as the address says; each is checked before it is used. */
export function createPool(address: Address, limits: ConnectionOptions, check: Check): pg.Pool {
  const { onConnect, ...config } = clientConfig(address, limits)
  const turns = createTurns(address.servers)

  class PoolConnection extends Connection {
    readonly server: string

    constructor(given: pg.ClientConfig) {
      const server = turns.current()
      super({ ...given, connectionString: server })
      this.server = server
    }

    // biome-ignore lint/suspicious/noExplicitAny: as above
    override connect(callback?: any): any {
      return super.connect((error: Error, ...results: unknown[]) => {
        if (error) turns.leave(this.server)
        ;(callback as Callback)(error, ...results)
      })
    }
  }

  /** A connection to the first server that takes it, as long as there is another one to try. */
  class AnyServerPool extends pg.Pool {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    override connect(callback?: any): any {
      if (!callback)
        return new Promise((resolve, reject) =>
          this.connect((error: unknown, client: pg.PoolClient) => (error ? reject(error) : resolve(client))),
        )
      const tryOn = (left: number) => {
        const server = turns.current()
        super.connect((error: unknown, ...results: unknown[]) => {
          if (error && left > 1 && turns.current() !== server) tryOn(left - 1)
          else (callback as Callback)(error && named(error), ...results)
        })
      }
      tryOn(address.servers.length)
    }
  }

  const pool = new AnyServerPool({
    ...config,
    async onConnect(client: PoolConnection) {
      try {
        await onConnect?.(client)
        await check(client)
      } catch (error) {
        turns.leave(client.server)
        throw error
      }
    },
    max: address.poolSize,
    Client: PoolConnection,
  } as unknown as pg.PoolConfig)
  // A connection that breaks while nobody uses it is no news: the pool makes another.
  pool.on('error', () => {})
  return pool
}

type OpenOptions = ConnectionOptions & { pipeline?: boolean; check?: Check; turns?: Turns }

async function openTo(server: string, address: Address, { check = requirePrimary, ...limits }: OpenOptions) {
  const { onConnect, ...config } = clientConfig(address, limits)
  const client = new Connection({ ...config, connectionString: server } as pg.ClientConfig)
  try {
    await client.connect()
    await onConnect?.(client)
    await check(client)
    return client
  } catch (error) {
    await client.end()
    throw named(error)
  }
}

/** One connection to the first server that takes it; its caller ends it. */
export async function openConnection(address: Address, options: OpenOptions): Promise<Connection> {
  const turns = options.turns ?? createTurns(address.servers)
  let failure: unknown
  for (const _ of address.servers) {
    const server = turns.current()
    try {
      return await openTo(server, address, options)
    } catch (error) {
      turns.leave(server)
      failure = error
    }
  }
  throw failure
}

/** One connection, for as long as something takes. */
export async function withConnection<T>(
  address: Address,
  limits: OpenOptions,
  act: (client: Connection) => Promise<T>,
): Promise<T> {
  const client = await openConnection(address, limits)
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}
