import { ConsoleError } from './console-error.ts'

interface FairQueueOptions {
  /** How many tasks run at once. */
  running: number
  /** How many of one owner run at once. */
  ofOwner: number
  /** How many of one owner wait; one more is refused. */
  waitingOfOwner: number
}

interface Owner {
  running: number
  waiting: (() => void)[]
}

/** Runs tasks of several owners in turns, so that an owner never waits for all tasks of another. */
export function createFairQueue({ running: maxRunning, ofOwner, waitingOfOwner }: FairQueueOptions) {
  /** In the order of their next turns. */
  const owners = new Map<string, Owner>()
  let running = 0

  function startNext() {
    if (running >= maxRunning) return
    for (const [name, owner] of owners) {
      const start = owner.running < ofOwner ? owner.waiting.shift() : undefined
      if (!start) continue
      owners.delete(name)
      owners.set(name, owner)
      owner.running++
      running++
      return start()
    }
  }

  function takeTurn(name: string, owner: Owner): Promise<void> {
    if (owner.running + owner.waiting.length >= ofOwner + waitingOfOwner)
      throw new ConsoleError('busy', { retryAfter: 1 })
    owners.set(name, owner)
    return new Promise((resolve) => {
      owner.waiting.push(resolve)
      startNext()
    })
  }

  return async function run<T>(name: string, act: () => Promise<T>): Promise<T> {
    const owner = owners.get(name) ?? { running: 0, waiting: [] }
    await takeTurn(name, owner)
    try {
      return await act()
    } finally {
      owner.running--
      running--
      if (owner.running === 0 && owner.waiting.length === 0) owners.delete(name)
      startNext()
    }
  }
}

export type FairQueue = ReturnType<typeof createFairQueue>
