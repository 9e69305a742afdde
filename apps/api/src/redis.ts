import { once } from 'node:events'
import { Redis } from 'ioredis'
import { withTimeout } from './with-timeout.ts'

export const connectWithinMs = 1000
/** A connection on which commands have no response for this long is closed. */
const socketTimeoutMs = 5000
const slowestReconnectMs = 1000

/** The reason of an error without a word of what was sent: a code of the system, or the one that Redis begins its errors with. */
function describeCause(error: unknown): string {
  if (!(error instanceof Error) || error.name === 'AbortError') return 'no answer'
  if ('code' in error && typeof error.code === 'string') return error.code
  return /^[A-Z]{3,32}\b/.exec(error.message)?.[0] ?? 'no answer'
}

export function connectRedis(url: string) {
  const client = new Redis(url, {
    // What cannot be sent at once is of no use later.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: connectWithinMs,
    socketTimeout: socketTimeoutMs,
    retryStrategy: (times) => Math.min(times * 100, slowestReconnectMs),
    protocol: 2,
    disableClientInfo: true,
  })
  let lastError: unknown
  // Without a listener the library prints the error.
  client.on('error', (error) => {
    lastError = error
  })
  client.on('ready', () => {
    lastError = undefined
  })
  return { client, cause: (error: unknown) => describeCause(lastError ?? error) }
}

/** Undefined where Redis answers, else why it does not, as a code of the system or of Redis. */
export async function askRedis(url: string): Promise<string | undefined> {
  const { client, cause } = connectRedis(url)
  try {
    await once(client, 'ready', { signal: AbortSignal.timeout(connectWithinMs) })
    await withTimeout(client.ping(), connectWithinMs)
    return undefined
  } catch (error) {
    return cause(error)
  } finally {
    client.disconnect()
  }
}
