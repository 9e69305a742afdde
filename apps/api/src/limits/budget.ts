/** What is left of a budget after something was taken from it. */
export interface Taken {
  /** Whether there was something to take. */
  allowed: boolean
  remaining: number
  /** When the window ends and the budget is whole again; in milliseconds since 1970. */
  resetAt: number
}

/** So many for each name in a window, which begins with the first that is taken. */
export interface Budget {
  take(name: string): Taken | Promise<Taken>
}

export interface BudgetOptions {
  limit: { count: number; seconds: number }
  now: () => number
}

interface Window {
  used: number
  resetAt: number
}

/** Windows by name. What has ended is swept out once in a window, so that names do not pile up. */
export function createWindows<W extends { resetAt: number }>({ limit, now }: BudgetOptions) {
  const windows = new Map<string, W>()
  const length = limit.seconds * 1000
  let nextSweep = now() + length

  /** A clock that was set back must not keep a window open for longer than it is. */
  const isOpen = ({ resetAt }: W, time: number) => resetAt > time && resetAt - time <= length

  function sweep(time: number) {
    for (const [name, window] of windows) if (!isOpen(window, time)) windows.delete(name)
    nextSweep = time + length
  }

  return {
    length,
    /** The window of a name that is open now. */
    get(name: string): W | undefined {
      const time = now()
      if (time >= nextSweep || nextSweep - time > length) sweep(time)
      const window = windows.get(name)
      return window && isOpen(window, time) ? window : undefined
    },
    set: (name: string, window: W) => void windows.set(name, window),
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
  }
}
