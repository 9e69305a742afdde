interface FairQueueOptions {
  /** How many tasks run at once. */
  running: number
  /** How many of one owner run at once. */
  ofOwner: number
  /** How many of one owner wait; one more is refused. */
  waitingOfOwner: number
  /** For how long a task waits before it is refused. */
  timeoutMs?: number
  /** Says that a task was refused. */
  full: () => Error
}

interface Owner {
  running: number
  waiting: Set<() => void>
}

/** Runs tasks of several owners in turns, so that an owner never waits for all tasks of another. */
export function createFairQueue(options: FairQueueOptions) {
  const { ofOwner, waitingOfOwner, timeoutMs, full } = options
  /** In the order of their next turns. */
  const owners = new Map<string, Owner>()
  let running = 0

  function startNext() {
    if (running >= options.running) return
    for (const [name, owner] of owners) {
      const [start] = owner.waiting
      if (!start || owner.running >= ofOwner) continue
      owner.waiting.delete(start)
      owners.delete(name)
      owners.set(name, owner)
      owner.running++
      running++
      return start()
    }
  }

  function forgetIdle(name: string, owner: Owner) {
    if (owner.running === 0 && owner.waiting.size === 0) owners.delete(name)
  }

  function takeTurn(name: string, owner: Owner): Promise<void> {
    if (owner.running + owner.waiting.size >= ofOwner + waitingOfOwner) throw full()
    owners.set(name, owner)
    return new Promise((resolve, reject) => {
      const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs)
      function start() {
        clearTimeout(timer)
        resolve()
      }
      function giveUp() {
        owner.waiting.delete(start)
        forgetIdle(name, owner)
        reject(full())
      }
      owner.waiting.add(start)
      startNext()
    })
  }

  return async function run<T>(name: string, act: () => Promise<T>): Promise<T> {
    const owner = owners.get(name) ?? { running: 0, waiting: new Set<() => void>() }
    await takeTurn(name, owner)
    try {
      return await act()
    } finally {
      owner.running--
      running--
      forgetIdle(name, owner)
      startNext()
    }
  }
}

export type FairQueue = ReturnType<typeof createFairQueue>
