import { type DatabaseFileMonitor, databaseFileLost } from '../../db/sqlite/database-file-monitor.ts'
import type { Resolution, SqliteResolver } from './resolver.ts'

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
  function unavailable(): Resolution {
    onError(databaseFileLost())
    return { response: 'unavailable', key: undefined }
  }
  return {
    find(request) {
      if (!monitor.isUsable()) return unavailable()
      if (!isOpen) {
        resolver = create()
        isOpen = true
      }
      const resolution = resolver.find(request)
      // A row may be missing from a file only because something else was writing to it.
      if (typeof resolution?.response === 'string' && !monitor.isStillThere()) return unavailable()
      return resolution
    },
    stats: () => resolver.stats(),
    encode: (list, encoding) => resolver.encode(list, encoding),
    close,
  }
}
