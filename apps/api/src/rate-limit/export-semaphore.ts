/** Both formats at once, or two workspaces. */
export const maxExportsOfOwner = 2

/** Lets each name hold a limited number of slots. */
export function createSemaphore(limit: number) {
  const held = new Map<string, number>()
  return {
    acquire(name: string): boolean {
      const count = held.get(name) ?? 0
      if (count >= limit) return false
      held.set(name, count + 1)
      return true
    },
    release(name: string): void {
      const left = (held.get(name) ?? 1) - 1
      if (left > 0) held.set(name, left)
      else held.delete(name)
    },
  }
}

/** Slots that workers hold under ids of their own. A worker's exit releases all of its slots. */
export function createWorkerSemaphore(limit: number) {
  const semaphore = createSemaphore(limit)
  const held = new Map<number, Map<number, string>>()
  return {
    acquire(worker: number, id: number, name: string): boolean {
      if (!semaphore.acquire(name)) return false
      held.set(worker, (held.get(worker) ?? new Map<number, string>()).set(id, name))
      return true
    },
    release(worker: number, id: number): void {
      const name = held.get(worker)?.get(id)
      if (name === undefined) return
      held.get(worker)?.delete(id)
      semaphore.release(name)
    },
    releaseAll(worker: number): void {
      for (const name of held.get(worker)?.values() ?? []) semaphore.release(name)
      held.delete(worker)
    },
  }
}

/** Releases a slot shared by all processes; `full` where none is free, undefined where the primary did not respond. */
export type SharedSlot = (() => void) | 'full' | undefined

/** Takes one of the slots that an owner has over all processes. */
export type ShareExports = (owner: string) => Promise<SharedSlot>
