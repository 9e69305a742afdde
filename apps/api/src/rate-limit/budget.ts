import type { MaybeAsync } from './map-maybe-async.ts'

/** The outcome of taking one from a budget. */
export interface Taken {
  allowed: boolean
  remaining: number
  /** When the window ends and the budget is whole again; in milliseconds since 1970. */
  resetAt: number
}

/** So many for each name in a window, which begins with the first that is taken. */
export interface Budget {
  /** Undefined where that cannot be known in time: nothing is limited then. */
  take(name: string): MaybeAsync<Taken | undefined>
  /** Returns one that was taken of the open window. */
  giveBack(name: string): void
}

export interface BudgetOptions {
  limit: { count: number; seconds: number }
  now: () => number
  /** At most so many names are kept. */
  maxNames?: number
}

interface Window {
  used: number
  resetAt: number
}

/** Some 25 MB, and twice that in the coordinator. A client with more addresses is not stopped by a limit for each of them. */
const defaultMaxNames = 100_000

/**
 * Windows by name, in two halves by age. The older half is dropped whole after the length of a window, when all in it have ended, or
 * earlier when the younger half is full. So names neither pile up nor have to be searched.
 */
export function createWindows<W extends { resetAt: number }>({
  limit,
  now,
  maxNames = defaultMaxNames,
}: BudgetOptions) {
  let young = new Map<string, W>()
  let old = new Map<string, W>()
  const length = limit.seconds * 1000
  let nextRotation = now() + length

  /** A clock that is set back must not keep a window open longer. */
  const isOpen = ({ resetAt }: W, time: number) => resetAt > time && resetAt - time <= length

  function rotate(time: number) {
    old = young
    young = new Map()
    nextRotation = time + length
  }

  return {
    length,
    /** The open window of a name. */
    get(name: string): W | undefined {
      const time = now()
      if (time >= nextRotation || nextRotation - time > length) rotate(time)
      const window = young.get(name) ?? old.get(name)
      return window && isOpen(window, time) ? window : undefined
    },
    set(name: string, window: W): W {
      if (young.size >= maxNames / 2) rotate(now())
      young.set(name, window)
      return window
    },
  }
}

/** A budget in the memory of this process. */
export function createLocalBudget(options: BudgetOptions): Budget {
  const { limit, now } = options
  const windows = createWindows<Window>(options)
  return {
    take(name) {
      const window = windows.get(name) ?? windows.set(name, { used: 0, resetAt: now() + windows.length })
      const allowed = window.used < limit.count
      if (allowed) window.used++
      return { allowed, remaining: limit.count - window.used, resetAt: window.resetAt }
    },
    giveBack(name) {
      const window = windows.get(name)
      if (window && window.used > 0) window.used--
    },
  }
}
