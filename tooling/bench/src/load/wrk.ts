import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { Context } from '../context.ts'

export interface Load {
  port: number
  /** Made by `writeRequests`. */
  file: string
  /** The index of the first request: each round begins at another one, the same for every server. */
  offset: number
  seconds: number
  connections: number
  /** The core to run on; undefined for any. */
  core?: number | undefined
  /** The mean pause of a connection before its next request; without one, as many requests as the server answers. */
  pauseMs?: number
}

export interface LoadResult {
  requests: number
  seconds: number
  /** Responses with a status of 400 or more. */
  errorStatuses: number
  /** Connections that broke. */
  broken: number
  p50Ms: number
  p99Ms: number
}

export const requestRate = ({ requests, seconds }: LoadResult) => requests / seconds

/** The command line that runs a command on one core. */
export const pinned = (core: number | undefined, command: readonly string[]): [string, string[]] => {
  const [file = '', ...args] = core === undefined ? command : ['taskset', '-c', String(core), ...command]
  return [file, args]
}

export const writeRequests = (file: string, requests: readonly string[]) =>
  writeFileSync(file, requests.map((request) => `${request}\0`).join(''))

/** Reads the line that `wrk/requests.lua` printed. */
export function parseWrk(output: string): LoadResult {
  const line = /^bench: (\{.*\})$/m.exec(output)?.[1]
  if (line === undefined) throw new Error(`wrk printed no result:\n${output}`)
  const { microseconds, p50, p99, ...counts } = JSON.parse(line)
  return { ...counts, seconds: microseconds / 1e6, p50Ms: p50 / 1000, p99Ms: p99 / 1000 }
}

/** Puts a load on a server. wrk takes whole seconds; an interrupt ends it early, and it still prints its results. */
export async function runWrk({ home }: Context, load: Load): Promise<LoadResult> {
  const { port, file, offset, seconds, connections, core, pauseMs = 0 } = load
  const options = ['-t1', `-c${connections}`, `-d${Math.ceil(seconds) + 60}s`, '--timeout', '60s']
  const script = ['-s', `${home}/wrk/requests.lua`, `http://127.0.0.1:${port}`]
  const [command, args] = pinned(core, [
    'wrk',
    ...options,
    ...script,
    '--',
    file,
    String(offset),
    String(pauseMs),
  ])
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  // The script writes to standard error once it has read the requests.
  child.stderr.once('data', () => setTimeout(() => child.kill('SIGINT'), seconds * 1000))
  return parseWrk(await text(child.stdout))
}
