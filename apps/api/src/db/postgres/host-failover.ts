import { dependsOnTls } from './tls.ts'

interface Endpoint {
  /** The server that it leads to, which another way may lead to as well, with or without TLS. */
  place: string
}

/** Which of several ways to a database is taken: the one that served last, until it does not. */
export function createTurns<W extends Endpoint>(ways: readonly W[]) {
  let at = 0
  return {
    current: (): W => ways[at]!,
    /** A way was found not to serve. Whoever finds that later than others changes nothing. */
    leave(way: W, error: unknown) {
      if (ways[at] !== way) return
      // A server that is not there is neither there with TLS nor without.
      const elsewhere = !dependsOnTls(error)
      do at = (at + 1) % ways.length
      while (elsewhere && ways[at] !== way && ways[at]!.place === way.place)
    },
  }
}

export type Turns<W extends Endpoint> = ReturnType<typeof createTurns<W>>
