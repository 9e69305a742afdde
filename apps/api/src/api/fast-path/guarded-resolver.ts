import type { DatabaseWatch } from '../../db/sqlite/database-file-monitor.ts'
import { DatabaseUnavailable } from '../../db/unavailable.ts'
import type { Found, SqliteResolver } from './resolver.ts'

/** A look-up that answers only from the database that the deployment stores, and begins anew when that is another file. */
export function guardResolver(
  create: () => SqliteResolver,
  { watch, onError }: { watch: DatabaseWatch; onError: (error: unknown) => void },
): SqliteResolver {
  let [resolver, isOpen] = [create(), true]
  function close() {
    if (isOpen) resolver.close()
    isOpen = false
  }
  watch.onRelease(close)
  function unknown(): Found {
    onError(new DatabaseUnavailable())
    return { answer: 'unavailable', holder: undefined }
  }
  return {
    find(request) {
      if (!watch.isUsable()) return unknown()
      if (!isOpen) [resolver, isOpen] = [create(), true]
      const found = resolver.find(request)
      // What was read of a file while something else wrote to it may be missing there by chance.
      if (typeof found?.answer === 'string' && !watch.isStillThere()) return unknown()
      return found
    },
    figures: () => resolver.figures(),
    encode: (list, encoding) => resolver.encode(list, encoding),
    close,
  }
}
