/** What stands at each name of an object, in order: a value, or what stands at the names of the object there. */
export type Tree<T> = Map<string, T | Tree<T>>

/** Nests values by their paths, such as `media.thumbnail`. */
export function nest<T>(entries: Iterable<readonly [path: string, value: T]>): Tree<T> {
  const root: Tree<T> = new Map()
  for (const [path, value] of entries) {
    const names = path.split('.')
    let tree = root
    for (const name of names.slice(0, -1)) {
      const known = tree.get(name)
      const inner: Tree<T> = known instanceof Map ? known : new Map()
      tree.set(name, inner)
      tree = inner
    }
    tree.set(names.at(-1) ?? '', value)
  }
  return root
}

export const toObject = (tree: Tree<unknown>): Record<string, unknown> =>
  Object.fromEntries([...tree].map(([name, node]) => [name, node instanceof Map ? toObject(node) : node]))

type Objects = Readonly<Record<string, unknown>> | undefined

/** Reads the value at a path; `undefined` where an object on the way is not there. */
export function createReader(path: string): (record: unknown) => unknown {
  const [name = '', ...inner] = path.split('.')
  // The schema of the record has checked that what has inner names is an object.
  const read = (record: unknown) => (record as Objects)?.[name]
  if (inner.length === 0) return read
  const readInner = createReader(inner.join('.'))
  return (record) => readInner(read(record))
}
