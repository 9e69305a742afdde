import { dependsOnTls } from './tls.ts'

interface Host {
  /** Its server, which another endpoint may lead to as well, with or without TLS. */
  host: string
}

/** Which of several endpoints of a database is used: the one that served last, until it does not. */
export function createFailover<E extends Host>(endpoints: readonly E[]) {
  let index = 0
  const at = (position: number) => {
    const endpoint = endpoints[position % endpoints.length]
    if (!endpoint) throw new Error('an address has an endpoint')
    return endpoint
  }
  return {
    current: () => at(index),
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
