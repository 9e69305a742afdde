import cluster, { type Worker } from 'node:cluster'
import { superviseWorkers } from './cluster/primary.ts'
import { createWorkerLink, type WorkerLink } from './cluster/worker.ts'
import type { Terminal } from './commands/terminal.ts'
import type { Config } from './config.ts'
import { errorCode } from './error-code.ts'
import { createLogs } from './observability/logs.ts'
import { createMetrics, type Metrics } from './observability/metrics.ts'
import type { TracingOptions } from './observability/tracing/tracing.ts'
import { capYoungGeneration } from './observability/young-generation.ts'
import type { OpenDatabase } from './open-database.ts'
import { createLocalBudget } from './rate-limit/budget.ts'
import { readLimits } from './rate-limit/limits.ts'
import type { RedisOptions } from './rate-limit/redis.ts'
import { createService } from './service.ts'
import { UserError } from './user-error.ts'

/** The last traces and log lines may take this long, within the time left to stop. */
const maxFlushMs = 4000
const minFlushMs = 200
const stopWithinMs = 9200
/** Then the process ends, whatever still waits for a database or a network that does not respond. */
const exitWithinMs = 9400

/** Loads the client of Redis only where there is one. */
async function openRedis({ redisUrl: url }: Config, options: Omit<RedisOptions, 'url'>) {
  if (url === undefined) return undefined
  const { connectBudgets } = await import('./rate-limit/redis.ts')
  return connectBudgets({ ...options, url })
}

/** Loads the tracing library only where a collector is configured. */
async function openTracing({ tracing }: Config, options: Omit<TracingOptions, 'config'>) {
  if (!tracing) return undefined
  const { createTracing } = await import('./observability/tracing/tracing.ts')
  return createTracing({ ...options, config: tracing })
}

const flushTime = (stoppedAt: number) =>
  Math.min(maxFlushMs, Math.max(minFlushMs, stopWithinMs - (performance.now() - stoppedAt)))

const noAddress = (host: string) => `this machine has no address ${host}: set HOST to one that it has`

const listenErrors: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) => `port ${port} of ${host} is in use: stop that process, or set PORT`,
  EACCES: (host, port) => `no permission to listen on port ${port} of ${host}: set PORT to 1024 or more`,
  EADDRNOTAVAIL: noAddress,
  // An IPv6 address on a machine without IPv6.
  EAFNOSUPPORT: noAddress,
  EINVAL: (host) =>
    `cannot listen on ${host}: set HOST to another address, or add its interface, as in fe80::1%eth0`,
  ENOTFOUND: (host) => `there is no host ${host}: set HOST to an address of this machine`,
  EAI_AGAIN: (host) => `the host ${host} cannot be looked up: set HOST to an address of this machine`,
}

async function startOrExplain(start: () => Promise<string>, { host, port }: Config) {
  try {
    return await start()
  } catch (error) {
    const explain = listenErrors[errorCode(error)]
    throw explain ? new UserError(explain(host, port)) : error
  }
}

interface ServeOptions {
  terminal: Terminal
  config: Config
  opened: OpenDatabase
  metrics: Metrics
  link?: WorkerLink
  announce: (address: string) => void
}

/** Serves in this process until a signal stops it. */
async function serveHere({ terminal, config, opened, metrics, link, announce }: ServeOptions) {
  const { clock, now, logStream } = terminal
  const logs = createLogs({ level: config.logLevel, stream: logStream, now })
  const { logger } = logs
  const redis = await openRedis(config, { logger, now })
  const budget =
    redis?.budget ?? link?.budgets(logger) ?? ((_kind, limit) => createLocalBudget({ limit, now }))
  let listening = ''
  const address = () => config.publicUrl ?? listening
  const tracing = await openTracing(config, { logger, system: opened.place.kind, address })
  try {
    const service = createService({
      config,
      opened,
      logs,
      budget,
      clock,
      now,
      tracing,
      releaseSocket: link?.releaseSocket,
      metrics: { ...metrics, read: link?.readMetrics ?? metrics.read },
    })
    const stopped = new Promise<void>((resolve) => terminal.onSignal(resolve))
    listening = await startOrExplain(() => service.start(), config)
    announce(listening)
    await stopped
    const stoppedAt = performance.now()
    terminal.exitWithin(exitWithinMs)
    tracing?.flush()
    await service.stop()
    await tracing?.close(flushTime(stoppedAt))
    // A collector that does not respond, or a log without a reader, would keep the process alive.
    terminal.exitWithin(flushTime(stoppedAt))
  } finally {
    redis?.close()
    logStream.flush()
  }
}

async function serveAsWorker({ terminal, config, open }: ProcessesOptions, worker: Worker) {
  const metrics = createMetrics()
  const link = createWorkerLink({
    worker,
    now: terminal.now,
    measure: () => metrics.registry.getMetricsAsJSON(),
  })
  try {
    const opened = await open()
    await serveHere({ terminal, config, opened, metrics, link, announce: link.announce })
  } finally {
    link.leave()
  }
}

interface ProcessesOptions {
  terminal: Terminal
  config: Config
  open: () => Promise<OpenDatabase>
  /** Called before any worker starts. Gives what to do with the address once it is listened on. */
  prepare: (opened: OpenDatabase) => Promise<(address: string) => void>
  say: (text: string) => void
}

/** Serves until a signal stops it, in as many processes as the configuration says. Resolves with the exit code. */
export async function serve(options: ProcessesOptions): Promise<number> {
  const { terminal, config, open, prepare, say } = options
  capYoungGeneration()
  if (cluster.worker) {
    await serveAsWorker(options, cluster.worker)
    return 0
  }
  const opened = await open()
  const announce = await prepare(opened)
  if (config.concurrency === 1) {
    await serveHere({ terminal, config, opened, metrics: createMetrics(), announce })
    return 0
  }
  await opened.close()
  return superviseWorkers({
    count: config.concurrency,
    limits: readLimits(config),
    now: terminal.now,
    say,
    onListening: announce,
    onSignal: terminal.onSignal,
  })
}
