/** Which of several servers is asked: the one that served last, until it does not. */
export function createTurns(servers: readonly string[]) {
  let at = 0
  return {
    current: (): string => servers[at]!,
    /** A server was found not to serve. Whoever finds that later than others changes nothing. */
    leave(server: string) {
      if (servers[at] === server) at = (at + 1) % servers.length
    },
  }
}

export type Turns = ReturnType<typeof createTurns>
