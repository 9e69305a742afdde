import type { ConsoleKey } from '@saleproof/schema/console'

type Linked = Pick<ConsoleKey, 'id' | 'replaces'>

/** The keys in groups: the newest of a rotation, followed by its predecessors. */
export function inRotations<Key extends Linked>(keys: readonly Key[]): Key[][] {
  const byId = new Map(keys.map((key) => [key.id, key]))
  const replaced = new Set(keys.map(({ replaces }) => replaces))
  const placed = new Set<Key>()
  function follow(key: Key): Key[] {
    const group: Key[] = []
    let next: Key | undefined = key
    while (next && !placed.has(next)) {
      placed.add(next)
      group.push(next)
      next = next.replaces === null ? undefined : byId.get(next.replaces)
    }
    return group
  }
  const newest = keys.filter(({ id }) => !replaced.has(id))
  // Imported keys may replace each other in a circle.
  return [...newest, ...keys].map(follow).filter((group) => group.length > 0)
}
