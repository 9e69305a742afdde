import { DatabaseUnavailable } from '../database/unavailable.ts'
import type { DatabaseWatch } from '../database/watch.ts'
import type { Found, SqliteLookUp } from './look-up.ts'

/** A look-up that answers only from the database that the deployment stores, and begins anew when that is another file. */
export function watchLookUp(
  create: () => SqliteLookUp,
  { watch, onTrouble }: { watch: DatabaseWatch; onTrouble: (error: unknown) => void },
): SqliteLookUp {
  let [lookUp, isOpen] = [create(), true]
  function close() {
    if (isOpen) lookUp.close()
    isOpen = false
  }
  watch.onRelease(close)
  function unknown(): Found {
    onTrouble(new DatabaseUnavailable())
    return { answer: 'unavailable', holder: undefined }
  }
  return {
    find(request) {
      if (!watch.isUsable()) return unknown()
      if (!isOpen) [lookUp, isOpen] = [create(), true]
      const found = lookUp.find(request)
      // What was read of a file while something else wrote to it may be missing there by chance.
      if (typeof found?.answer === 'string' && !watch.isStillThere()) return unknown()
      return found
    },
    figures: () => lookUp.figures(),
    encode: (list, encoding) => lookUp.encode(list, encoding),
    close,
  }
}
