export interface Option<Value extends string> {
  value: Value
  label: string
}

/** The options of a select, in the order of their labels; `none` is the label of the empty one. */
export function toOptions<Value extends string>(labels: Readonly<Record<Value, string>>): Option<Value>[]
export function toOptions<Value extends string>(
  labels: Readonly<Record<Value, string>>,
  none: string,
): Option<Value | ''>[]
export function toOptions(labels: Readonly<Record<string, string>>, none?: string): Option<string>[] {
  const options = Object.entries(labels).map(([value, label]) => ({ value, label }))
  return none === undefined ? options : [{ value: '', label: none }, ...options]
}
