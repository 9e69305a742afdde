import pg from 'pg'
import { DatabaseError } from '../errors.ts'
import { type Address, createSession, type SessionLimits } from './address.ts'
import { fromPostgres } from './errors.ts'
import { requirePrimary } from './primary.ts'
import { describeProtection, explainTlsError, tlsOptions } from './tls.ts'
import type { TlsParameters } from './tls-parameters.ts'

// biome-ignore lint/suspicious/noExplicitAny: the driver does not declare what the overloads of its methods have in common
export type Callback = (...args: any[]) => any

/** How often a connection that waits for results looks for bytes of the server. */
const watchEveryMs = 100

/** For how long a server may send nothing while a result is waited for. */
export type Timeout = number | (() => number)

/** Whether a server that sends nothing works on what a connection waits for. */
export type IsWorking = (connection: Connection) => Promise<boolean>

interface ConnectionConfig extends pg.ClientConfig {
  tls?: TlsParameters | undefined
  timeoutMs?: Timeout | undefined
  isWorking?: IsWorking | undefined
}

/**
 * A connection whose errors are `DatabaseError`s, and which is closed when a result is waited for and the server sends nothing for longer
 * than a time: then every query on it fails. A server that vanished would be waited for until the system gives up.
 */
export class Connection extends pg.Client {
  /** The id of the server's process. A property of the driver that its types lack. */
  declare readonly processID: number
  readonly #tls: TlsParameters | undefined
  readonly #timeoutMs: () => number
  readonly #isWorking: IsWorking
  /** Whether a query has no result yet. */
  #waiting = false
  #bytesRead: unknown = 0
  /** Counted in looks and not by the clock: while this process does not run, nothing that came is read. */
  #silentMs = 0
  #watch: NodeJS.Timeout | undefined
  /** The driver holds it as well, and reads it when it connects. */
  readonly #tlsOptions: object

  constructor({ tls, timeoutMs = Number.POSITIVE_INFINITY, isWorking, ...config }: ConnectionConfig = {}) {
    const ssl = {}
    // Both are set, or environment variables would set them.
    super({ ...config, ssl: tls ? ssl : false, sslnegotiation: 'postgres' })
    this.#tls = tls
    this.#tlsOptions = ssl
    this.#timeoutMs = typeof timeoutMs === 'function' ? timeoutMs : () => timeoutMs
    this.#isWorking = isWorking ?? (async () => false)
    // Queries that wait learn of an error by themselves; without a listener the process would end between two of them.
    this.on('error', () => {})
    this.on('drain', () => {
      this.#waiting = false
    })
  }

  // The pool hands an emitted error to its caller.
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    return super.emit(event, ...(event === 'error' ? args.map(fromPostgres) : args))
  }

  /** How it is protected, for a person. */
  get protection(): string {
    return describeProtection(this.connection.stream, this.#tls)
  }

  // biome-ignore lint/suspicious/noExplicitAny: as below
  override connect(callback?: Callback): any {
    if (!callback)
      return new Promise((resolve, reject) =>
        this.connect((error) => (error ? reject(error) : resolve(this))),
      )
    try {
      if (this.#tls) Object.assign(this.#tlsOptions, tlsOptions(this.#tls))
    } catch (error) {
      queueMicrotask(() => callback(error))
      return
    }
    super.connect((error: Error | null, ...results: unknown[]) => {
      const explained = error && explainTlsError(error, this.connection.stream)
      callback(explained && fromPostgres(explained), ...results)
    })
  }

  /** Closes the connection when the server sends nothing for too long until it emits `drain`, when no result is waited for any more. */
  watchSilence() {
    if (!this.#waiting) this.#silentMs = 0
    this.#waiting = true
    this.#watch ??= setInterval(() => void this.#checkSilence(), watchEveryMs).unref()
  }

  async #checkSilence() {
    const { stream } = this.connection
    const bytesRead = 'bytesRead' in stream ? stream.bytesRead : undefined
    this.#silentMs = bytesRead === this.#bytesRead ? this.#silentMs + watchEveryMs : 0
    this.#bytesRead = bytesRead
    if (!this.#waiting) {
      clearInterval(this.#watch)
      this.#watch = undefined
    } else if (this.#silentMs > this.#timeoutMs()) {
      // Not asked again while that is found out.
      this.#silentMs = Number.NEGATIVE_INFINITY
      const isWorking = await this.#isWorking(this)
      if (this.#silentMs < 0 && !isWorking) stream.destroy(new DatabaseError('no_answer', 'ETIMEDOUT'))
      this.#silentMs = 0
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's overloads are many; the arguments are passed on as they are
  override query(...args: any[]): any {
    const [config] = args
    this.watchSilence()
    if (typeof config?.submit === 'function') return super.query(...(args as [pg.Query]))
    const callback: unknown = args.at(-1)
    const query: Callback = super.query.bind(this)
    if (typeof callback === 'function') {
      return query(...args.slice(0, -1), (error: unknown, ...results: unknown[]) => {
        callback(error && fromPostgres(error), ...results)
      })
    }
    return Promise.resolve(query(...args)).catch((error) => {
      throw fromPostgres(error)
    })
  }
}

export interface ConnectionOptions extends SessionLimits {
  /** Without it there is no limit. */
  timeoutMs?: Timeout | undefined
  /** Asked after that time; without it the server does not work. */
  isWorking?: IsWorking | undefined
}

/** How long it may take to connect, or to get a connection of the pool. */
const connectWithinMs = 2000

export const clientConfig = (address: Address, limits: ConnectionOptions & { pipeline?: boolean }) => ({
  connectionString: address.url,
  tls: address.tls,
  keepAlive: true,
  application_name: 'saleproof',
  connectionTimeoutMillis: connectWithinMs,
  timeoutMs: limits.timeoutMs,
  isWorking: limits.isWorking,
  pipeline: limits.pipeline,
  ...createSession(address, limits),
})

/** A server that hangs does not close its end. */
const closeWithinMs = 1000

async function endConnection(client: Connection) {
  const timer = setTimeout(() => client.connection.stream.destroy(), closeWithinMs)
  await client.end().finally(() => clearTimeout(timer))
}

/** Throws on a connection to another database than the expected one. */
export type Check = (client: pg.ClientBase) => Promise<void>

type OpenOptions = ConnectionOptions & { pipeline?: boolean; check?: Check }

/** One connection; the caller ends it. */
export async function openConnection(address: Address, options: OpenOptions): Promise<Connection> {
  const { check = requirePrimary, ...limits } = options
  const { onConnect, ...config } = clientConfig(address, limits)
  const client = new Connection(config)
  try {
    await client.connect()
    await onConnect?.(client)
    await check(client)
    return client
  } catch (error) {
    await endConnection(client)
    throw error
  }
}

export async function withConnection<T>(
  address: Address,
  options: OpenOptions,
  act: (client: Connection) => Promise<T>,
): Promise<T> {
  const client = await openConnection(address, options)
  let failure: unknown
  client.once('error', (error) => {
    failure = error
  })
  try {
    return await act(client)
  } catch (error) {
    // A cursor or a copy throws what the driver gives, or only that its connection is gone.
    if (error instanceof pg.DatabaseError) throw fromPostgres(error)
    throw failure instanceof DatabaseError && failure.cause === error ? failure : error
  } finally {
    await endConnection(client)
  }
}
