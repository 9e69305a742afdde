import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { benchSecret, type Context, serviceEntry } from '../context.ts'
import { cpuSeconds, peakMemory } from './process-figures.ts'

export interface CommandFigures {
  /** With its start. */
  seconds: number
  /** Processor time of the command itself, without that of a database server. */
  cpu: number
  /** The most memory that it had, in MB. */
  memory: number
}

interface TimedCommand {
  args: readonly string[]
  databaseUrl: string
  input?: Readable
}

const sampleEveryMs = 50

/** What is left of a process that has just ended is not to be read any more. */
function sample(pid: number, before: Omit<CommandFigures, 'seconds'>) {
  try {
    return { cpu: cpuSeconds(pid), memory: Math.max(before.memory, peakMemory(pid)) }
  } catch {
    return before
  }
}

/** Runs a command of the service to its end, and measures it. */
export async function timeCommand(
  context: Context,
  { args, databaseUrl, input }: TimedCommand,
): Promise<CommandFigures> {
  const start = performance.now()
  const child = spawn(context.node, [serviceEntry(context), ...args], {
    env: { ...context.env, DATABASE_URL: databaseUrl, SALEPROOF_SECRET: benchSecret },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let figures = { cpu: 0, memory: 0 }
  const timer = setInterval(() => {
    figures = sample(child.pid!, figures)
  }, sampleEveryMs)
  let messages = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    messages += text
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  // A command that gives up closes its input: what it has to say matters more than the broken pipe.
  if (input) await pipeline(input, child.stdin).catch(() => {})
  else child.stdin.end()
  const code = await ended
  clearInterval(timer)
  if (code !== 0) throw new Error(`saleproof ${args[0]} failed (${code}):\n${messages.trim()}`)
  return { seconds: (performance.now() - start) / 1000, ...figures }
}
