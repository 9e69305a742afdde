export interface Token {
  text: string
  kind?: 'name' | 'text' | 'value'
}

export interface Line {
  tokens: readonly Token[]
  depth: number
  /** The compared value lacks this line. */
  highlighted: boolean
}

interface Context {
  depth: number
  highlighted: boolean
  /** What precedes the value: its name. */
  before: readonly Token[]
  /** What follows the value: a comma. */
  after: string
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const scalar = (value: unknown): Token => ({
  text: JSON.stringify(value),
  kind: typeof value === 'string' ? 'text' : 'value',
})

function bracketed(open: string, inner: readonly Line[], close: string, context: Context): Line[] {
  const { depth, highlighted, before, after } = context
  if (inner.length === 0)
    return [{ tokens: [...before, { text: `${open}${close}${after}` }], depth, highlighted }]
  return [
    { tokens: [...before, { text: open }], depth, highlighted },
    ...inner,
    { tokens: [{ text: `${close}${after}` }], depth, highlighted },
  ]
}

function toLines(value: unknown, other: unknown, context: Context): Line[] {
  const { depth, highlighted, before, after } = context
  const comma = (index: number, count: number) => (index < count - 1 ? ',' : '')
  if (Array.isArray(value)) {
    const inner = value.flatMap((element, index) => {
      const after = comma(index, value.length)
      return toLines(element, undefined, { depth: depth + 1, highlighted, before: [], after })
    })
    return bracketed('[', inner, ']', context)
  }
  if (!isObject(value)) return [{ tokens: [...before, scalar(value), { text: after }], depth, highlighted }]
  const properties = Object.entries(value).filter(([, property]) => property !== undefined)
  const inner = properties.flatMap(([name, property], index) =>
    toLines(property, isObject(other) ? other[name] : undefined, {
      depth: depth + 1,
      highlighted: highlighted || (isObject(other) && other[name] === undefined),
      before: [{ text: JSON.stringify(name), kind: 'name' }, { text: ': ' }],
      after: comma(index, properties.length),
    }),
  )
  return bracketed('{', inner, '}', context)
}

/** Indented JSON as lines of tokens. Properties that `other` lacks are highlighted. */
export const jsonLines = (value: unknown, other?: unknown): Line[] =>
  toLines(value, other, { depth: 0, highlighted: false, before: [], after: '' })
