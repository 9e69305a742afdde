import cluster, { type Worker } from 'node:cluster'
import { errorCode } from '../error-code.ts'
import { type Coordinator, createCoordinator } from '../rate-limit/coordinator.ts'
import { type LimitKind, type LimitsByKind, limitKinds } from '../rate-limit/limits.ts'
import type { PrimaryMethods, WorkerMethods } from './methods.ts'
import { createMetricsAggregator } from './metrics-aggregator.ts'
import { createRpc } from './rpc.ts'

interface PrimaryOptions {
  count: number
  limits: LimitsByKind
  now: () => number
  say: (text: string) => void
  /** Called once, when the first worker listens. */
  onListening: (address: string) => void
  onSignal: (listener: () => void) => void
}

/** A worker that ends sooner was not able to serve. */
const shortLifeMs = 5000
const maxShortLives = 5
/** The pause before the next start after more of those in a row. Doubles each time. */
const firstPauseMs = 1000
const maxPauseMs = 30_000
/** Workers are killed after this time. */
const stopWithinMs = 9500
/** A worker that does not respond for this long has nothing to give back. */
const recallTimeoutMs = 250
const measureTimeoutMs = 2000

type WorkerRpc = ReturnType<typeof createRpc<WorkerMethods, PrimaryMethods>>

const connectedWorkers = () =>
  Object.values(cluster.workers ?? {})
    .filter((worker) => worker !== undefined)
    .filter((worker) => worker.isConnected())

/** Runs the workers' calls: it holds what all of them share. */
function createIpcHandler(
  { limits, now }: PrimaryOptions,
  onListening: (worker: Worker, address: string) => void,
) {
  const rpcs = new Map<number, WorkerRpc>()
  const metrics = createMetricsAggregator()

  function findCoordinator(kind: LimitKind): Coordinator | undefined {
    const limit = limits[kind]
    if (!limit) return undefined
    const recall = async (id: number, name: string, resetAt: number) =>
      (await rpcs
        .get(id)
        ?.call('recall', { kind, name, resetAt }, recallTimeoutMs)
        .catch(() => 0)) ?? 0
    return createCoordinator({
      limit,
      now,
      recall,
      processes: () => Object.keys(cluster.workers ?? {}).length,
    })
  }

  const coordinators = new Map(limitKinds.map((kind) => [kind, findCoordinator(kind)]))

  async function measure(worker: Worker) {
    const values = await rpcs
      .get(worker.id)
      ?.call('measure', {}, measureTimeoutMs)
      .catch(() => undefined)
    if (values && !worker.isDead()) metrics.report(worker.id, values)
  }

  async function readMetrics(): Promise<string> {
    await Promise.all(connectedWorkers().map(measure))
    return metrics.read()
  }

  return {
    connect(worker: Worker) {
      const { id } = worker
      const send = (message: object) => void (worker.isConnected() && worker.send(message))
      const rpc = createRpc<WorkerMethods, PrimaryMethods>(send, {
        listening: ({ address }) => onListening(worker, address),
        lease: async ({ kind, name }) => coordinators.get(kind)?.lease(name, id),
        readMetrics,
      })
      rpcs.set(id, rpc)
      worker.on('message', (message: unknown) => void rpc.receive(message))
    },
    forget({ id }: Worker) {
      rpcs.delete(id)
      void metrics.remove(id)
    },
  }
}

const pauseAfter = (shortLives: number) =>
  shortLives <= maxShortLives ? 0 : firstPauseMs * 2 ** (shortLives - maxShortLives - 1)

/**
 * Starts the workers, one of them first: what keeps it from listening would keep all of them. Replaces a worker that dies. Resolves with
 * the exit code when all have ended.
 */
export function superviseWorkers(options: PrimaryOptions): Promise<number> {
  const { count, say, onSignal } = options
  // The workers accept from a shared socket. A connection that this process had handed to a worker that dies would hang.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  /** Start times. A killed worker may end before its channel does, and Node.js counts it until then. */
  const startedAt = new Map<number, number>()
  const serving = new Set<number>()
  let listening = false
  let stopping = false
  let shortLives = 0
  let exitCode = 0
  const { promise, resolve: finish } = Promise.withResolvers<number>()

  const ipc = createIpcHandler(options, (worker, address) => {
    serving.add(worker.id)
    if (listening) return
    listening = true
    options.onListening(address)
    for (let index = 1; index < count; index++) fork()
  })

  function fork() {
    const worker = cluster.fork()
    startedAt.set(worker.id, performance.now())
    ipc.connect(worker)
    worker.on('error', (error) => {
      // Sending to a worker that just died breaks its channel, and its exit is reported separately. But if the system had no descriptor,
      // process or memory for a worker, nothing else is reported, and Node.js keeps counting it.
      if (worker.process.pid !== undefined) return
      delete cluster.workers?.[worker.id]
      end(worker, errorCode(error), 1)
    })
  }

  function replace(started: number, cause: string, couldNotStart: boolean) {
    shortLives = performance.now() - started < shortLifeMs ? shortLives + 1 : 0
    const pause = Math.min(pauseAfter(shortLives), serving.size ? maxPauseMs : firstPauseMs)
    // Workers that serve keep serving: what stops others from starting, such as a lost database, may not affect them. Workers that were
    // killed, or served, show that others can start.
    if (pause && serving.size === 0 && couldNotStart) {
      say('workers keep ending right after they start: stopping')
      exitCode = 1
      return stop()
    }
    say(`a worker ended (${cause}): starting another${pause ? ` in ${pause / 1000} s` : ''}`)
    if (!pause) return fork()
    const timer = setTimeout(() => stopping || fork(), pause)
    // Without a worker nothing else keeps this process running.
    if (startedAt.size) timer.unref()
  }

  function end(worker: Worker, cause: string, code: number | null) {
    const started = startedAt.get(worker.id)
    if (started === undefined) return
    startedAt.delete(worker.id)
    const couldNotStart = !serving.delete(worker.id) && code !== null
    ipc.forget(worker)
    if (!listening) return finish(stopping ? 0 : code || 1)
    if (!stopping) replace(started, cause, couldNotStart)
    else if (startedAt.size === 0) finish(exitCode)
  }

  const killAll = (signal: 'SIGTERM' | 'SIGKILL') => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal)
  }

  function stop() {
    if (stopping) return
    stopping = true
    if (startedAt.size === 0) return finish(exitCode)
    killAll('SIGTERM')
    setTimeout(() => killAll('SIGKILL'), stopWithinMs).unref()
  }

  cluster.on('exit', (worker, code, signal) => end(worker, String(signal ?? code), code))
  onSignal(stop)
  fork()
  return promise
}
