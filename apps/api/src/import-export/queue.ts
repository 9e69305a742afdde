import { DatabaseError } from '../db/errors.ts'

interface QueueOptions {
  maxRunning: number
  maxWaiting: number
  /** How long a task waits for its turn. */
  timeoutMs: number
}

const full = () => new DatabaseError('busy', 'IMPORTS')

/** Runs a few tasks at once, in their order. A task that is too many fails at once, and one that waits too long then. */
export function createQueue({ maxRunning, maxWaiting, timeoutMs }: QueueOptions) {
  let running = 0
  const waiting = new Set<() => void>()

  function waitForTurn(): Promise<void> {
    if (waiting.size >= maxWaiting) throw full()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(begin)
        reject(full())
      }, timeoutMs)
      function begin() {
        clearTimeout(timer)
        resolve()
      }
      waiting.add(begin)
    })
  }

  return async function run<T>(task: () => Promise<T>): Promise<T> {
    if (running < maxRunning) running++
    else await waitForTurn()
    try {
      return await task()
    } finally {
      const [next] = waiting
      if (next) {
        waiting.delete(next)
        next()
      } else running--
    }
  }
}
