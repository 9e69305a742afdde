/** Asks a server over and over, as fast as it answers or at a steady rate. */
export interface Load {
  port: number
  /** A file of requests, with a zero byte after each. */
  file: string
  /** Where in the file to begin: each round asks for something else, and every server in it for the same. */
  offset: number
  seconds: number
  connections: number
  /** The core to run on; undefined for any. */
  core?: number | undefined
  threads?: number
}

export interface LoadResult {
  requests: number
  seconds: number
  /** Answers with a status of 400 or more. */
  refused: number
  /** Connections that broke. */
  failed: number
  /** Milliseconds. */
  p50: number
  p99: number
}

export const rateOf = ({ requests, seconds }: LoadResult) => requests / seconds

/** The command line that runs a command on one core, where there is a choice and a means. */
export const pinned = (core: number | undefined, command: readonly string[]): [string, string[]] => {
  const whole = core === undefined ? command : ['taskset', '-c', String(core), ...command]
  return [whole[0]!, whole.slice(1)]
}
