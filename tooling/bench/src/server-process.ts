import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, truncateSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ask } from './ask.ts'
import type { Context } from './context.ts'
import type { Databases } from './data/prepare.ts'
import { get } from './load/cells.ts'
import { pinned } from './load/load.ts'
import { cpuSeconds } from './measure/process-figures.ts'
import type { ServerDefinition } from './servers.ts'

export interface StartOptions {
  definition: ServerDefinition
  databases: Databases
  /** Where its log goes. */
  folder: string
  core?: number | undefined
  /** Options for Node.js, such as those of the profiler. */
  nodeOptions?: readonly string[]
}

const firstRequest = get('/api/account/details')
const startTimeout = 30_000
const stopTimeout = 15_000

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Starts a server; it is ready when it has answered a first request. */
export async function startServer(context: Context, options: StartOptions) {
  const { definition, databases, folder, core, nodeOptions = [] } = options
  const port = await freePort()
  const log = join(folder, `${definition.name}.log`)
  const [node, ...rest] = definition.command(context)
  const [command, args] = pinned(core, [node!, ...nodeOptions, ...rest])
  const output = openSync(log, 'a')
  const start = performance.now()
  const child = spawn(command, args, {
    env: { ...context.env, NODE_ENV: 'production', ...definition.env(databases, port) },
    cwd: folder,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  const ended = once(child, 'exit')
  const fail = (what: string): never => {
    throw new Error(`${definition.name} ${what}:\n${readFileSync(log, 'utf8').slice(-2000)}`)
  }
  while (
    !(await ask(port, firstRequest).then(
      ({ status }) => status === 200,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) fail('ended at once')
    if (performance.now() - start > startTimeout) fail('did not start to answer')
    await pause(2)
  }
  const startMilliseconds = performance.now() - start
  const pid = child.pid!

  return {
    name: definition.name,
    port,
    pid,
    startMilliseconds,
    /** Waits until it has no work left: after a load it may still write answers that nobody reads. */
    async settle() {
      for (let before = -1, now = cpuSeconds(pid); before !== now; now = cpuSeconds(pid)) {
        before = now
        await pause(30)
      }
      truncateSync(log)
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeout)
      await ended
      clearTimeout(timer)
    },
  }
}

export type RunningServer = Awaited<ReturnType<typeof startServer>>
