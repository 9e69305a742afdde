import { ConsoleFailure } from './failure.ts'

/** Both formats beside each other, or two workspaces. */
const mostOfOwner = 2
/** Each reads all of a workspace, piece by piece, by the one thread that every page of the console waits for as well. */
const mostInAll = 8
/** Most have ended by then. */
const retryAfter = 10

/** Bounds the exports that run at the same time in this process. */
export function createExportSlots() {
  const running = new Map<string, number>()
  let all = 0

  return {
    /** Takes a place for an export of an owner, and gives what frees it; refuses where there is none. */
    take(owner: string): () => void {
      const own = running.get(owner) ?? 0
      if (own >= mostOfOwner || all >= mostInAll) throw new ConsoleFailure('too_many_exports', { retryAfter })
      running.set(owner, own + 1)
      all++
      let taken = true
      return () => {
        if (!taken) return
        taken = false
        all--
        const left = (running.get(owner) ?? 1) - 1
        if (left > 0) running.set(owner, left)
        else running.delete(owner)
      }
    },
  }
}

export type ExportSlots = ReturnType<typeof createExportSlots>
