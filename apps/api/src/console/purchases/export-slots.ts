import { ConsoleError } from '../console-error.ts'

/** Both formats at once, or two workspaces. */
const maxOfOwner = 2
/** Exports share one reader thread with every page of the console. */
const maxOfAll = 8
/** Most exports have ended by then. In seconds. */
const retryAfter = 10

/** Limits the exports that a process runs at once. */
export function createExportSlots() {
  const taken = new Set<{ owner: string }>()
  /** Takes a slot and returns the function that releases it; throws where none is free. */
  return function acquire(owner: string): () => void {
    const own = [...taken].filter((slot) => slot.owner === owner)
    if (own.length >= maxOfOwner || taken.size >= maxOfAll)
      throw new ConsoleError('too_many_exports', { retryAfter })
    const slot = { owner }
    taken.add(slot)
    return () => void taken.delete(slot)
  }
}
