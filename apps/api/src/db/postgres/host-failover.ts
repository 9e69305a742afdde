import { dependsOnTls } from './tls.ts'

interface Host {
  /** Its server, which another endpoint may lead to as well, with or without TLS. */
  host: string
}

/** A server that has just failed is doubted for this long, unless it lets in. */
const doubtMs = 5000

/**
 * Which of several endpoints of a database is used: the one that served last, until it does not. And what is known of it by all who share
 * this: that it failed a short while ago.
 */
export function createFailover<E extends Host>(endpoints: readonly E[]) {
  let index = 0
  const at = (position: number) => {
    const endpoint = endpoints[position % endpoints.length]
    if (!endpoint) throw new Error('an address has an endpoint')
    return endpoint
  }
  let failure: { error: unknown; at: number } | undefined
  return {
    current: () => at(index),
    /** The failure of the last so many milliseconds, if no connection was made since. */
    failedWithin: (milliseconds = doubtMs) =>
      failure && performance.now() - failure.at < milliseconds ? failure : undefined,
    failed(error: unknown) {
      failure = { error, at: performance.now() }
    },
    connected() {
      failure = undefined
    },
    /** An endpoint does not serve. Calls for one that is no longer current change nothing. */
    leave(endpoint: E, error: unknown) {
      if (at(index) !== endpoint) return
      // A server that is down is down with and without TLS.
      const elsewhere = !dependsOnTls(error)
      do index += 1
      while (elsewhere && at(index) !== endpoint && at(index).host === endpoint.host)
    },
  }
}

export type Failover<E extends Host> = ReturnType<typeof createFailover<E>>
