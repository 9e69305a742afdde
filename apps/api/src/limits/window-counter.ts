/** How often something happened in its window, this time included, and when the window ends. */
export interface Count {
  count: number
  /** In milliseconds since 1970. */
  resetAt: number
}

/** Counts by name in windows that begin with the first of each. */
export interface WindowCounter {
  take(name: string): Count
  /** The same without counting. */
  look(name: string): Count | undefined
}

interface WindowCounterOptions {
  seconds: number
  now: () => number
}

/** Counts in the memory of this process. What has ended is swept out once in a window, so that names do not pile up. */
export function createWindowCounter({ seconds, now }: WindowCounterOptions): WindowCounter {
  const windows = new Map<string, Count>()
  const length = seconds * 1000
  let nextSweep = now() + length

  function sweep(time: number) {
    for (const [name, { resetAt }] of windows) if (resetAt <= time) windows.delete(name)
    nextSweep = time + length
  }

  /** A clock that was set back must not keep a window open for longer than it is. */
  const isOpen = (window: Count | undefined, time: number): window is Count =>
    window !== undefined && window.resetAt > time && window.resetAt - time <= length

  return {
    take(name) {
      const time = now()
      if (time >= nextSweep || nextSweep - time > length) sweep(time)
      const window = windows.get(name)
      if (isOpen(window, time)) {
        window.count++
        return window
      }
      const opened = { count: 1, resetAt: time + length }
      windows.set(name, opened)
      return opened
    },
    look(name) {
      const window = windows.get(name)
      return isOpen(window, now()) ? window : undefined
    },
  }
}
