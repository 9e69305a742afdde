/** Both formats beside each other, or two workspaces. */
export const mostExportsOfOwner = 2

/** Places of each name, of which only so many are taken at a time. */
export function createPlaces(most: number) {
  const taken = new Map<string, number>()
  return {
    take(name: string): boolean {
      const count = taken.get(name) ?? 0
      if (count >= most) return false
      taken.set(name, count + 1)
      return true
    },
    free(name: string): void {
      const left = (taken.get(name) ?? 1) - 1
      if (left > 0) taken.set(name, left)
      else taken.delete(name)
    },
  }
}

/** Places that workers take and free again, under numbers of their own. One that ends leaves none behind. */
export function createPlacesOfWorkers(most: number) {
  const places = createPlaces(most)
  const held = new Map<number, Map<number, string>>()
  return {
    take(worker: number, id: number, name: string): boolean {
      if (!places.take(name)) return false
      held.set(worker, (held.get(worker) ?? new Map<number, string>()).set(id, name))
      return true
    },
    free(worker: number, id: number): void {
      const name = held.get(worker)?.get(id)
      if (name === undefined) return
      held.get(worker)?.delete(id)
      places.free(name)
    },
    forget(worker: number): void {
      for (const name of held.get(worker)?.values() ?? []) places.free(name)
      held.delete(worker)
    },
  }
}

/** What frees a place that was taken over all processes; `full` where there is none, nothing where nobody knows. */
export type SharedPlace = (() => void) | 'full' | undefined

/** Takes a place of an owner over all processes. */
export type ShareExports = (owner: string) => Promise<SharedPlace>
