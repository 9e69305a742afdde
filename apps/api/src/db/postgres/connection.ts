import pg from 'pg'
import { type Address, type Endpoint, type SessionLimits, sessionOf } from './address.ts'
import { requireBinding } from './channel-binding.ts'
import { createTurns, type Turns } from './host-failover.ts'
import { requirePrimary } from './primary.ts'
import { explained, protectionOf, tlsOptions } from './tls.ts'

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

export type Callback = (error: unknown, ...results: unknown[]) => void

/** What of the driver's client its types do not tell. */
interface Inside {
  connection: Parameters<typeof requireBinding>[0]
}

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

interface ConnectionConfig extends pg.ClientConfig {
  way: Endpoint
  timeoutMs?: number | undefined
}

/**
 * A connection on which no answer is waited for longer than a time: past it the connection is given up, and everybody who waits on it
 * learns that. A server that is gone without a word would be waited for until the system's patience ends.
 */
export class Connection extends pg.Client {
  readonly #timeoutMs: number
  /** Since when each question waits, in their order, which is that of the answers. */
  readonly #waiting: number[] = []
  #watch: NodeJS.Timeout | undefined
  readonly #way: Endpoint
  /** The driver holds it as well, and reads it when it connects. */
  readonly #tlsOptions: object
  #unbound: ReturnType<typeof requireBinding> = () => undefined

  constructor({ way, timeoutMs = Number.POSITIVE_INFINITY, ...config }: ConnectionConfig) {
    const ssl = {}
    super({
      ...{ ...config, connectionString: way.url, enableChannelBinding: way.tls?.bound ?? false },
      // Both are said, or variables of the environment would say them.
      ...{ ssl: way.tls ? ssl : false, sslnegotiation: way.tls?.direct ? 'direct' : 'postgres' },
    } as pg.ClientConfig)
    this.#way = way
    this.#tlsOptions = ssl
    this.#timeoutMs = timeoutMs
    if (way.tls?.bound) this.#unbound = requireBinding((this as unknown as Inside).connection)
    // Whoever waits for an answer learns of it from that; without a listener the process would end between two questions.
    this.on('error', () => {})
  }

  // A pool gives the error that is emitted to whoever asks.
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'error') named(args[0])
    return (super.emit as (event: string | symbol, ...args: unknown[]) => boolean)(event, ...args)
  }

  get #stream() {
    return (this as unknown as Inside).connection.stream
  }

  /** How it is kept from others, for a person. */
  get protection(): string {
    return protectionOf(this.#stream, this.#way.tls)
  }

  // biome-ignore lint/suspicious/noExplicitAny: as below
  override connect(callback?: any): any {
    if (!callback)
      return new Promise((resolve, reject) =>
        this.connect((error: unknown) => (error ? reject(error) : resolve(this))),
      )
    try {
      if (this.#way.tls) Object.assign(this.#tlsOptions, tlsOptions(this.#way.tls))
    } catch (error) {
      queueMicrotask(() => (callback as Callback)(error))
      return
    }
    super.connect((error: unknown, ...results: unknown[]) =>
      (callback as Callback)(this.#unbound() ?? (error && explained(error, this.#stream)), ...results),
    )
  }

  #look() {
    const [since] = this.#waiting
    if (since === undefined) {
      clearInterval(this.#watch)
      this.#watch = undefined
    } else if (performance.now() - since > this.#timeoutMs) {
      this.#stream.destroy(Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' }))
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
    if (this.#timeoutMs === Number.POSITIVE_INFINITY) return () => {}
    this.#waiting.push(performance.now())
    this.#watch ??= setInterval(() => this.#look(), watchEveryMs).unref()
    return () => void this.#waiting.shift()
  }
}

export interface ConnectionOptions extends SessionLimits {
  /** How long an answer is waited for; without it as long as it takes. */
  timeoutMs?: number | undefined
}

/** How long a connection may take to be there: made, or given back by somebody else. */
const connectWithinMs = 2000

export const clientConfig = (address: Address, limits: ConnectionOptions & { pipeline?: boolean }) => ({
  keepAlive: true,
  application_name: 'saleproof',
  connectionTimeoutMillis: connectWithinMs,
  timeoutMs: limits.timeoutMs,
  pipeline: limits.pipeline,
  ...sessionOf(address, limits),
})

/** Refuses a connection that is not of the database that is asked for. */
export type Check = (client: pg.ClientBase) => Promise<void>

type OpenOptions = ConnectionOptions & { pipeline?: boolean; check?: Check; turns?: Turns<Endpoint> }

async function openTo(way: Endpoint, address: Address, { check = requirePrimary, ...limits }: OpenOptions) {
  const { onConnect, ...config } = clientConfig(address, limits)
  const client = new Connection({ ...config, way } as ConnectionConfig)
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

/** One connection by the first way that serves; its caller ends it. */
export async function openConnection(address: Address, options: OpenOptions): Promise<Connection> {
  const turns = options.turns ?? createTurns(address.ways)
  let failure: unknown
  for (const _ of address.ways) {
    const way = turns.current()
    try {
      return await openTo(way, address, options)
    } catch (error) {
      turns.leave(way, error)
      failure = error
      if (turns.current() === way) break
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
