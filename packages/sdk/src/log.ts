/** A hook that only observes: it cannot throw. */
export type Log<Event> = (event: Event) => Promise<void>

/**
 * What events are given to: `hook`, and a line each on standard error when the environment variable `SALEPROOF_LOG` is `debug`.
 * `undefined` without a listener.
 */
export function createLog<Event extends object>(
  hook: ((event: Event) => unknown) | undefined,
): Log<Event> | undefined {
  let debug = false
  try {
    debug = globalThis.process.env.SALEPROOF_LOG === 'debug'
  } catch {
    // A page and a Worker have no `process`; Deno throws without its permission.
  }
  if (!debug && !hook) return undefined
  return async (event) => {
    try {
      // Not `console.debug`: on servers it writes to the standard output of the program.
      if (debug) console.warn(`saleproof ${JSON.stringify(event)}`)
      await hook?.(event)
    } catch {}
  }
}
