import { createPlaces, mostExportsOfOwner, type ShareExports } from '../../cluster/export-semaphore.ts'
import { ConsoleFailure } from '../console-error.ts'

/** Each reads all of a workspace, piece by piece, by the one thread that every page of the console waits for as well. */
const mostOfProcess = 8
/** Most have ended by then. */
const retryAfter = 10

/** Bounds the exports that run at the same time: of an owner over all processes, of all owners in this one. */
export function createExportSlots(share?: ShareExports) {
  const ofOwners = createPlaces(mostExportsOfOwner)
  const ofAll = createPlaces(mostOfProcess)
  const full = () => new ConsoleFailure('too_many_exports', { retryAfter })

  /** A place here; gives what frees it. */
  function takeHere(owner: string): () => void {
    if (!ofOwners.take(owner)) throw full()
    if (!ofAll.take('')) {
      ofOwners.free(owner)
      throw full()
    }
    return () => {
      ofOwners.free(owner)
      ofAll.free('')
    }
  }

  return {
    /** Takes a place for an export of an owner, and gives what frees it; refuses where there is none. */
    async take(owner: string): Promise<() => void> {
      const freeHere = takeHere(owner)
      // Without an answer those of this process are all that are known.
      const shared = await share?.(owner)
      if (shared === 'full') {
        freeHere()
        throw full()
      }
      let taken = true
      return () => {
        if (!taken) return
        taken = false
        freeHere()
        shared?.()
      }
    },
  }
}
