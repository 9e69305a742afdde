import cluster from 'node:cluster'
import type { Command } from 'commander'
import { superviseWorkers } from '../cluster/primary.ts'
import { createWorkerLink, type WorkerLink } from '../cluster/worker.ts'
import type { Config } from '../config.ts'
import { createLogs } from '../observability/logs.ts'
import { createMetrics, type Metrics } from '../observability/metrics.ts'
import type { TracingOptions } from '../observability/tracing/tracing.ts'
import { type OpenDatabase, openDatabase } from '../open-database.ts'
import { createLocalBudget } from '../rate-limit/budget.ts'
import { limitsOf } from '../rate-limit/limits.ts'
import { openBudgets } from '../rate-limit/open-budgets.ts'
import { createService } from '../service.ts'
import { configOf, migrationsFolder } from './database.ts'
import { demoNotice, demoToShow } from './demo.ts'
import { CommandError, say, type Terminal } from './terminal.ts'

/** A reader that waits longer than this for a lock would hold up every other request of the process. */
const busyTimeoutMs = 50

/** How long the last traces and the last lines of the log may take, within what is left of the time to stop. */
const [flushWithinMs, leastFlushMs, stopWithinMs] = [4000, 200, 9200]

/** Traces, where a collector is named; nothing of them is loaded without. */
async function openTracing({ tracing }: Config, options: Omit<TracingOptions, 'config'>) {
  if (!tracing) return undefined
  const { createTracing } = await import('../observability/tracing/tracing.ts')
  return createTracing({ ...options, config: tracing })
}

/** What is left of the time to stop for the last traces, or the last lines of the log. */
const timeLeft = (stoppedAt: number) =>
  Math.min(flushWithinMs, Math.max(leastFlushMs, stopWithinMs - (performance.now() - stoppedAt)))

const reasons: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `port ${port} of ${host} is taken: stop what listens there, or set PORT to another one`,
  EACCES: (host, port) => `no permission to listen on port ${port} of ${host}: set PORT to 1024 or more`,
  EADDRNOTAVAIL: (host) => `this machine has no address ${host}: set HOST to one that it has`,
  // Of IPv6, on a machine without it.
  EAFNOSUPPORT: (host) => `this machine has no address ${host}: set HOST to one that it has`,
  EINVAL: (host) =>
    `${host} is no address to listen on: set HOST to another one, or add its interface, as in fe80::1%eth0`,
  ENOTFOUND: (host) => `there is no host ${host}: set HOST to an address of this machine`,
  EAI_AGAIN: (host) => `the host ${host} cannot be looked up: set HOST to an address of this machine`,
}

async function startOrExplain(start: () => Promise<string>, { host, port }: { host: string; port: number }) {
  try {
    return await start()
  } catch (error) {
    const reason = reasons[(error as { code?: string }).code ?? '']
    throw reason ? new CommandError(reason(host, port)) : error
  }
}

/** What is shown of the demo. Where it cannot be loaded, no connection is left open to keep the process. */
async function demoOrClose(terminal: Terminal, database: OpenDatabase) {
  try {
    return await demoToShow(terminal, database)
  } catch (error) {
    await database.close()
    throw error
  }
}

const openServing = (terminal: Terminal, config: Config) =>
  openDatabase({
    databaseUrl: config.databaseUrl,
    directUrl: config.directUrl,
    replicaUrls: config.replicaUrls,
    secret: config.secret,
    cwd: terminal.cwd,
    migrations: migrationsFolder(terminal),
    busyTimeoutMs,
    clock: terminal.clock,
    migrate: 'always',
  })

/** Serves in this process until it is told to stop: alone, or as one of several. */
async function serveHere(
  terminal: Terminal,
  config: Config,
  database: OpenDatabase,
  metrics: Metrics,
  link: Partial<WorkerLink>,
  announce: (address: string) => void,
) {
  const { clock, now } = terminal
  const stream = terminal.logStream()
  const logs = createLogs({ level: config.logLevel, stream, now })
  const { budget, close } = await openBudgets({
    redisUrl: config.redisUrl,
    otherwise: link.budgets?.(logs.logger) ?? ((_kind, limit) => createLocalBudget({ limit, now })),
    logger: logs.logger,
    now,
  })
  let listening = ''
  const address = () => config.publicUrl ?? listening
  const tracing = await openTracing(config, { logger: logs.logger, system: database.kind, address, now })
  try {
    const service = createService({
      ...{ config, database, logs, budget, clock, now, tracing },
      ...{ ownSocket: link.ownSocket, shareExports: link.shareExports },
      metrics: { ...metrics, read: link.readMetrics ?? metrics.read },
    })
    const stopped = new Promise<void>((resolve) => terminal.onSignal(resolve))
    listening = await startOrExplain(() => service.start(), config)
    announce(listening)
    await stopped
    const stoppedAt = performance.now()
    tracing?.flush()
    await service.stop()
    await tracing?.close(timeLeft(stoppedAt))
    // A collector that does not answer would keep the process, and so would a log that nobody reads.
    terminal.exitWithin(timeLeft(stoppedAt))
  } finally {
    close()
    stream.flush()
  }
}

async function serveAsWorker(terminal: Terminal, config: Config) {
  const metrics = createMetrics()
  const link = createWorkerLink({
    now: terminal.now,
    measure: () => metrics.registry.getMetricsAsJSON(),
  })
  try {
    const database = await openServing(terminal, config)
    await serveHere(terminal, config, database, metrics, link, link.listening)
  } finally {
    link.leave()
  }
}

/** What has to be done once, however many processes serve: migrations, the secret, the demo. */
async function serve(terminal: Terminal, { demo }: { demo: boolean }) {
  const config = configOf(terminal)
  if (cluster.isWorker) return serveAsWorker(terminal, config)
  const database = await openServing(terminal, config)
  if (database.kind === 'sqlite' && database.backup)
    say(terminal, `migrated the database; as it was it is in ${database.backup}`)
  const shown = demo && !config.production ? await demoOrClose(terminal, database) : undefined
  const announce = (address: string) => {
    say(terminal, `listening on ${address}`)
    if (shown) say(terminal, demoNotice(config.publicUrl ?? address, shown))
  }
  if (config.concurrency === 1) return serveHere(terminal, config, database, createMetrics(), {}, announce)
  await database.close()
  const exitCode = await superviseWorkers({
    count: config.concurrency,
    limits: limitsOf(config),
    now: terminal.now,
    say: (text) => say(terminal, text),
    onListening: announce,
    onSignal: terminal.onSignal,
  })
  // Whoever failed has said why.
  if (exitCode !== 0) throw new CommandError('', exitCode === 2 ? 2 : 1)
}

export function addServe(program: Command, terminal: Terminal) {
  program
    .command('serve')
    .description('apply pending migrations and serve')
    .option(
      '--demo',
      'load the demo workspace when the database is empty, and show its key; not in production',
      false,
    )
    .action((options) => serve(terminal, options))
}
