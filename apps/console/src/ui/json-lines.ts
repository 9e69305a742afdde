/** A piece of a line, by what it is. */
export interface Piece {
  text: string
  is?: 'name' | 'text' | 'value'
}

export interface Line {
  pieces: readonly Piece[]
  depth: number
  /** It is in this value and not in the one that it is compared with. */
  only: boolean
}

type Members = Record<string, unknown>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface Place {
  depth: number
  only: boolean
  /** What stands before the value: its name. */
  before: readonly Piece[]
  /** What stands after it: a comma. */
  after: string
}

const scalar = (value: unknown): Piece => ({
  text: JSON.stringify(value),
  is: typeof value === 'string' ? 'text' : 'value',
})

function inBrackets(
  [open, close]: string,
  inner: readonly Line[],
  { depth, only, before, after }: Place,
): Line[] {
  if (inner.length === 0) return [{ pieces: [...before, { text: `${open}${close}${after}` }], depth, only }]
  const first = { pieces: [...before, { text: open! }], depth, only }
  return [first, ...inner, { pieces: [{ text: `${close}${after}` }], depth, only }]
}

/** A value as indented JSON. What the other value of the same kind does not have is marked, member by member. */
function linesOf(value: unknown, other: unknown, place: Place): Line[] {
  const { depth, only, before, after } = place
  const comma = (index: number, count: number) => (index < count - 1 ? ',' : '')
  if (Array.isArray(value)) {
    const inner = value.flatMap((each, index) =>
      linesOf(each, undefined, { depth: depth + 1, only, before: [], after: comma(index, value.length) }),
    )
    return inBrackets('[]', inner, place)
  }
  if (!isObject(value)) return [{ pieces: [...before, scalar(value), { text: after }], depth, only }]
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const inner = members.flatMap(([name, member], index) => {
    const missing = isObject(other) && other[name] === undefined
    const named = [{ text: JSON.stringify(name), is: 'name' as const }, { text: ': ' }]
    const within = {
      depth: depth + 1,
      only: only || missing,
      before: named,
      after: comma(index, members.length),
    }
    return linesOf(member, isObject(other) ? other[name] : undefined, within)
  })
  return inBrackets('{}', inner, place)
}

export const jsonLines = (value: unknown, other?: unknown): Line[] =>
  linesOf(value, other, { depth: 0, only: false, before: [], after: '' })
