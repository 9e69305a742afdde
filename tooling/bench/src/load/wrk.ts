import { spawn, spawnSync } from 'node:child_process'
import type { Context } from '../context.ts'
import { type Load, type LoadResult, pinned } from './load.ts'

export const hasWrk = () => spawnSync('wrk', ['-v']).error === undefined

/** What `wrk/requests.lua` printed. */
export function parseWrk(output: string): LoadResult {
  const line = /^bench: (\{.*\})$/m.exec(output)?.[1]
  if (line === undefined) throw new Error(`wrk printed no result:\n${output}`)
  const { requests, microseconds, refused, failed, p50, p99 } = JSON.parse(line)
  return {
    requests,
    seconds: microseconds / 1e6,
    refused,
    failed,
    p50: p50 / 1000,
    p99: p99 / 1000,
  }
}

/** wrk takes whole seconds, but an interrupt ends it early and it prints its results all the same. */
export function runWrk({ home }: Context, load: Load): Promise<LoadResult> {
  const { port, file, offset, seconds, connections, core, threads = 1 } = load
  const script = `${home}/wrk/requests.lua`
  const url = `http://127.0.0.1:${port}`
  const options = [`-t${threads}`, `-c${connections}`, `-d${Math.ceil(seconds) + 60}s`, '--timeout', '60s']
  const [command, args] = pinned(core, ['wrk', ...options, '-s', script, url, '--', file, String(offset)])
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    // The script says on standard error that it has read the requests.
    child.stderr.once('data', () => setTimeout(() => child.kill('SIGINT'), seconds * 1000))
    child.on('error', reject)
    child.on('close', () => {
      try {
        resolve(parseWrk(output))
      } catch (error) {
        reject(error)
      }
    })
  })
}
