import { createSemaphore, maxExportsOfOwner, type ShareExports } from '../../rate-limit/export-semaphore.ts'
import { ConsoleError } from '../console-error.ts'

/** Exports share one reader thread with every page of the console. */
const maxOfProcess = 8
/** Most exports have ended by then. In seconds. */
const retryAfter = 10

/** Limits concurrent exports: per owner over all processes, and in total in this process. */
export function createExportSlots(share?: ShareExports) {
  const ofOwners = createSemaphore(maxExportsOfOwner)
  const ofAll = createSemaphore(maxOfProcess)
  const full = () => new ConsoleError('too_many_exports', { retryAfter })

  function acquireHere(owner: string): () => void {
    if (!ofOwners.acquire(owner)) throw full()
    if (!ofAll.acquire('')) {
      ofOwners.release(owner)
      throw full()
    }
    return () => {
      ofOwners.release(owner)
      ofAll.release('')
    }
  }

  return {
    /** Takes a slot and returns the function that releases it; throws where none is free. */
    async acquire(owner: string): Promise<() => void> {
      const releaseHere = acquireHere(owner)
      // Without a response from the primary, only this process's exports count.
      const shared = await share?.(owner)
      if (shared === 'full') {
        releaseHere()
        throw full()
      }
      let released = false
      return () => {
        if (released) return
        released = true
        releaseHere()
        shared?.()
      }
    },
  }
}
