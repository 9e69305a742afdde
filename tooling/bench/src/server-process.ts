import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, copyFileSync, existsSync, openSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@saleproof/postgres'
import { type Context, isPostgres } from './context.ts'
import { get } from './load/scenarios.ts'
import { pinned } from './load/wrk.ts'
import { cpuSeconds } from './measure/process-stats.ts'
import { send } from './request.ts'
import type { ServerDefinition } from './servers.ts'

export interface StartOptions {
  definition: ServerDefinition
  /** The path of an SQLite file, or a PostgreSQL URL. */
  database: string
  /** For its log and its copy of the database. */
  folder: string
  core?: number | undefined
  nodeOptions?: readonly string[]
}

const startTimeoutMs = 60_000
const stopTimeoutMs = 15_000

/** The service writes to its database: it gets a copy, and the cached one stays as it was imported. */
function databaseFor({ definition, database, folder }: StartOptions): string {
  if (!definition.isService || isPostgres(database)) return database
  const copy = join(folder, `${definition.name}.db`)
  if (!existsSync(copy)) copyFileSync(database, copy)
  return copy
}

const isReady = (port: number) =>
  send(port, get('/api/account/details')).then(
    ({ status }) => status === 200,
    () => false,
  )

/** Starts a server and waits for its first response. */
export async function startServer(context: Context, options: StartOptions) {
  const { definition, folder, core, nodeOptions = [] } = options
  const port = await freePort()
  const database = databaseFor(options)
  const log = join(folder, `${definition.name}.log`)
  const [node = '', ...rest] = definition.command(context)
  const [command, args] = pinned(core, [node, ...nodeOptions, ...rest])
  const output = openSync(log, 'a')
  const start = performance.now()
  const child = spawn(command, args, {
    env: { ...context.env, NODE_ENV: 'production', ...definition.env(database, port) },
    cwd: folder,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  const ended = once(child, 'exit')
  const fail = (problem: string): never => {
    throw new Error(`${definition.name} ${problem}:\n${readFileSync(log, 'utf8').slice(-2000)}`)
  }
  while (!(await isReady(port))) {
    if (child.exitCode !== null) fail('ended at once')
    if (performance.now() - start > startTimeoutMs) fail('did not respond in time')
    await pause(2)
  }
  const { pid = 0 } = child

  return {
    name: definition.name,
    port,
    pid,
    /** Waits until it is idle: after a load it may still write responses. */
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
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
      await ended
      clearTimeout(timer)
    },
  }
}

export type RunningServer = Awaited<ReturnType<typeof startServer>>
