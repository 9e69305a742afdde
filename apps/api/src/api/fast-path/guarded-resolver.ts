import { type DatabaseFileMonitor, databaseFileLost } from '../../db/sqlite/database-file-monitor.ts'
import { isKeySecret, type Resolution, type SqliteResolver } from './resolver.ts'

/** A resolver that reads only the database that the deployment stores, and starts again when that becomes another file. */
export function guardResolver(
  create: () => SqliteResolver,
  { monitor, onError }: { monitor: DatabaseFileMonitor; onError: (error: unknown) => void },
): SqliteResolver {
  let resolver = create()
  let isOpen = true
  function close() {
    if (isOpen) resolver.close()
    isOpen = false
  }
  monitor.onRelease(close)
  function unavailable(failedForSecret: boolean): Resolution {
    onError(databaseFileLost())
    return { response: 'unavailable', key: undefined, failedForSecret }
  }
  return {
    find(request) {
      if (!monitor.isUsable()) return unavailable(false)
      if (!isOpen) {
        resolver = create()
        isOpen = true
      }
      const resolution = resolver.find(request)
      // A row may be missing from a file only because something else was writing to it.
      if (typeof resolution?.response === 'string' && !monitor.isStillThere())
        return unavailable(isKeySecret(resolution))
      return resolution
    },
    stats: () => resolver.stats(),
    encode: (list, encoding) => resolver.encode(list, encoding),
    close,
  }
}
