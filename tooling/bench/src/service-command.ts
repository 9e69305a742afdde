import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { benchSecret, type Context, databaseUrl } from './context.ts'
import { cpuSeconds, peakMemory } from './measure/process-stats.ts'

export interface CommandStats {
  /** Start of the process included. */
  seconds: number
  /** Processor time of the command, without that of a database server. */
  cpuSeconds: number
  peakMegabytes: number
}

const sampleEveryMs = 50

/** The stats of a running process; those before when it has just ended. */
function sample(pid: number, before: Omit<CommandStats, 'seconds'>) {
  try {
    return { cpuSeconds: cpuSeconds(pid), peakMegabytes: Math.max(before.peakMegabytes, peakMemory(pid)) }
  } catch {
    return before
  }
}

/** Runs `saleproof ARGS` to its end. */
export async function runService(
  { node, api, env }: Context,
  args: readonly string[],
  { database, input }: { database: string; input?: Readable },
): Promise<CommandStats> {
  const start = performance.now()
  const child = spawn(node, [`${api}/bin/saleproof.js`, ...args], {
    env: { ...env, DATABASE_URL: databaseUrl(database), SALEPROOF_SECRET: benchSecret },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const { pid = 0 } = child
  let stats = { cpuSeconds: 0, peakMegabytes: 0 }
  const timer = setInterval(() => {
    stats = sample(pid, stats)
  }, sampleEveryMs)
  const messages = text(child.stderr)
  const ended = once(child, 'close')
  // A command that fails closes its input: its message matters more than the broken pipe.
  if (input) await pipeline(input, child.stdin).catch(() => {})
  else child.stdin.end()
  const [code] = await ended
  clearInterval(timer)
  if (code !== 0) throw new Error(`saleproof ${args[0]} failed (${code}):\n${(await messages).trim()}`)
  return { seconds: (performance.now() - start) / 1000, ...stats }
}
