import cluster, { type Worker } from 'node:cluster'
import { createLedger, type Ledger } from '../rate-limit/coordinator.ts'
import type { LimitKind, LimitsByKind } from '../rate-limit/limits.ts'
import { createWorkerSemaphore, maxExportsOfOwner } from './export-semaphore.ts'
import { createQuestions, type FromWorker, isOurs, type ToWorker } from './messages.ts'
import { createMeasurements, type Measured } from './metrics-aggregator.ts'

interface PrimaryOptions {
  count: number
  limits: LimitsByKind
  now: () => number
  say: (text: string) => void
  /** Called once, when the first worker listens. */
  onListening: (address: string) => void
  onSignal: (listener: () => void) => void
}

/** A worker that lives for less than this was not able to serve. */
const shortLifeMs = 5000
const shortLivesAllowed = 5
/** How long to wait before the next attempt when none of those lived longer; twice as long each time. */
const [firstPauseMs, longestPauseMs] = [1000, 30_000]
/** By then every worker has to be gone. */
const stopWithinMs = 9500
/** A worker that does not answer for this long has nothing to give back. */
const recallWithinMs = 250
const measureWithinMs = 2000

/** Keeps the ledgers of the limits, and answers the workers' questions. */
function createIpcHandler({ limits, now }: PrimaryOptions) {
  const returned = createQuestions<number>()
  const measured = createQuestions<readonly Measured[]>()
  const measurements = createMeasurements()
  const exports = createWorkerSemaphore(maxExportsOfOwner)
  const tell = (worker: Worker | undefined, message: ToWorker) => {
    if (worker?.isConnected()) worker.send(message)
  }

  function ledgerOf(kind: LimitKind): Ledger | undefined {
    const limit = limits[kind]
    if (!limit) return undefined
    const recall = (id: number, name: string, resetAt: number) => {
      const message = { type: 'saleproof:give-back', kind, name, resetAt } as const
      const answer = returned.ask(
        (question) => tell(cluster.workers?.[id], { ...message, id: question }),
        recallWithinMs,
      )
      return answer.catch(() => 0)
    }
    return createLedger({ limit, now, recall, processes: () => Object.keys(cluster.workers ?? {}).length })
  }

  /** The metrics of all workers together. */
  async function measureAll(): Promise<string> {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const answers = workers.map(async (worker) => {
      const answer = measured.ask((id) => tell(worker, { type: 'saleproof:measure', id }), measureWithinMs)
      const metrics = await answer.catch(() => undefined)
      if (metrics && !worker.isDead()) measurements.note(worker.id, metrics)
    })
    await Promise.all(answers)
    return measurements.read()
  }

  const ledgers = {
    requests: ledgerOf('requests'),
    failures: ledgerOf('failures'),
    'key-failures': ledgerOf('key-failures'),
    'sign-ins': ledgerOf('sign-ins'),
  }

  async function receive(worker: Worker, message: FromWorker) {
    switch (message.type) {
      case 'saleproof:grant': {
        const grant = await ledgers[message.kind]?.grant(message.name, worker.id)
        if (grant) tell(worker, { type: 'saleproof:granted', id: message.id, grant })
        return
      }
      case 'saleproof:export-begins': {
        const begin = exports.acquire(worker.id, message.id, message.owner)
        return tell(worker, { type: 'saleproof:export-may', id: message.id, begin })
      }
      case 'saleproof:export-ends':
        return exports.release(worker.id, message.id)
      case 'saleproof:given-back':
        return returned.answer(message.id, message.left)
      case 'saleproof:metrics':
        return tell(worker, { type: 'saleproof:metrics-read', id: message.id, text: await measureAll() })
      case 'saleproof:measured':
        return measured.answer(message.id, message.metrics)
    }
  }

  function forget({ id }: Worker) {
    exports.releaseAll(id)
    return measurements.forget(id)
  }

  return { receive, forget }
}

const pauseAfter = (shortLives: number) =>
  shortLives <= shortLivesAllowed
    ? 0
    : Math.min(firstPauseMs * 2 ** (shortLives - shortLivesAllowed - 1), longestPauseMs)

/**
 * Starts the workers, one first: what keeps it from listening would keep them all. A worker that dies is replaced. Gives the exit code
 * when all are gone.
 */
export function superviseWorkers(options: PrimaryOptions): Promise<number> {
  const { count, say, onListening, onSignal } = options
  const desk = createIpcHandler(options)
  // The workers accept from one socket by themselves. Handed out by this process, a connection that is on its way to a worker that dies
  // would hang until its caller gives up.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  /** Since when each lives. One that was killed may end before its channel does, until when Node.js counts it. */
  const born = new Map<number, number>()
  const serving = new Set<number>()
  let [listening, stopping, shortLives, exitCode] = [false, false, 0, 0]
  const { promise, resolve: finish } = Promise.withResolvers<number>()

  function fork() {
    const worker = cluster.fork()
    born.set(worker.id, performance.now())
    worker.on('error', (error) => {
      // What is sent to a worker that just died breaks its channel; that it ended is told by itself. Of one for which the system had no
      // descriptor, process or memory left nothing else is told, and Node.js goes on counting it.
      if (worker.process.pid !== undefined) return
      delete cluster.workers?.[worker.id]
      end(worker, String((error as { code?: string }).code), 1)
    })
  }

  function replace(begun: number, cause: string) {
    const lived = performance.now() - begun
    shortLives = lived < shortLifeMs ? shortLives + 1 : 0
    const pause = pauseAfter(shortLives)
    // Those that serve go on: what keeps another from starting, such as a database that is away, need not keep them from answering.
    if (pause && !serving.size) {
      say('the workers end as soon as they are started: stopping')
      exitCode = 1
      return stop()
    }
    say(`a worker ended (${cause}): starting another${pause ? ` in ${pause / 1000} s` : ''}`)
    if (pause) setTimeout(() => stopping || fork(), pause).unref()
    else fork()
  }

  function end(worker: Worker, cause: string, code: number) {
    const begun = born.get(worker.id)
    if (begun === undefined) return
    born.delete(worker.id)
    serving.delete(worker.id)
    if (!listening) return finish(stopping ? 0 : code || 1)
    if (!stopping) {
      void desk.forget(worker)
      replace(begun, cause)
    }
    if (stopping && born.size === 0) finish(exitCode)
  }

  function stop() {
    if (stopping) return
    stopping = true
    const workers = Object.values(cluster.workers ?? {})
    for (const worker of workers) worker?.process.kill('SIGTERM')
    setTimeout(() => {
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
    }, stopWithinMs).unref()
  }

  cluster.on('message', (worker, message: unknown) => {
    if (!isOurs(message)) return
    if (message.type !== 'saleproof:listening') return void desk.receive(worker, message as FromWorker)
    serving.add(worker.id)
    if (listening) return
    listening = true
    onListening(message.address)
    for (let index = 1; index < count; index++) fork()
  })
  cluster.on('exit', (worker, code, signal) => end(worker, String(signal ?? code), code))
  onSignal(stop)
  fork()
  return promise
}
