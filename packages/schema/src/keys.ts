/** The keys of a table, in its order. Without a cast: in a generic function the loop keeps their type. */
export function typedKeys<Table extends object>(table: Table): Extract<keyof Table, string>[] {
  const keys: Extract<keyof Table, string>[] = []
  for (const key in table) keys.push(key)
  return keys
}
