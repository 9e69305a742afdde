/** What is left of a budget after something was taken from it. */
export interface Taken {
  /** Whether there was something to take. */
  allowed: boolean
  remaining: number
  /** When the window ends and the budget is whole again; in milliseconds since 1970. */
  resetAt: number
}

/** What was taken; undefined where it cannot be known in time, and nothing is limited. */
export type Take = Taken | undefined

/** So many for each name in a window, which begins with the first that is taken. */
export interface Budget {
  take(name: string): Take | Promise<Take>
  /** Gives back one that was taken of the window that is open. */
  giveBack(name: string): void
}

export interface BudgetOptions {
  limit: { count: number; seconds: number }
  now: () => number
  /** At most so many names are kept. */
  names?: number
}

interface Window {
  used: number
  resetAt: number
}

/** Some 25 MB, and twice that in a process that keeps the count of all. Whoever has more addresses than this is not held up by a limit for each of them. */
const mostNames = 100_000

/**
 * Windows by name, in two halves by age: the older half is dropped whole when a window has passed since the last time, when all in it has
 * ended, or before that when the younger one is full. So names neither pile up nor have to be looked through.
 */
export function createWindows<W extends { resetAt: number }>({
  limit,
  now,
  names = mostNames,
}: BudgetOptions) {
  let young = new Map<string, W>()
  let old = new Map<string, W>()
  const length = limit.seconds * 1000
  let nextTurn = now() + length

  /** A clock that was set back must not keep a window open for longer than it is. */
  const isOpen = ({ resetAt }: W, time: number) => resetAt > time && resetAt - time <= length

  function turn(time: number) {
    old = young
    young = new Map()
    nextTurn = time + length
  }

  return {
    length,
    /** The window of a name that is open now. */
    get(name: string): W | undefined {
      const time = now()
      if (time >= nextTurn || nextTurn - time > length) turn(time)
      const window = young.get(name) ?? old.get(name)
      return window && isOpen(window, time) ? window : undefined
    },
    set(name: string, window: W) {
      if (young.size >= names / 2) turn(now())
      young.set(name, window)
    },
  }
}

/** A budget in the memory of this process alone. */
export function createLocalBudget(options: BudgetOptions): Budget {
  const { limit, now } = options
  const windows = createWindows<Window>(options)
  return {
    take(name) {
      let window = windows.get(name)
      if (!window) {
        window = { used: 0, resetAt: now() + windows.length }
        windows.set(name, window)
      }
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
