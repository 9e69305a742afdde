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

/** What a line may consist of: its indentation, a name, and a bracket or a value. */
const format = /^( *)(?:("(?:[^"\\]|\\.)*")(: ))?("(?:[^"\\]|\\.)*"|[^[\]{},]+)?(.*)$/

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What the compared value has where a line stands. */
interface Compared {
  other: unknown
  highlighted: boolean
}

function compare({ other, highlighted }: Compared, name: string | undefined): Compared {
  if (name === undefined || !isObject(other)) return { other: undefined, highlighted }
  const found = other[JSON.parse(name)]
  return { other: found, highlighted: highlighted || found === undefined }
}

/** Indented JSON as lines of tokens. Properties that `other` lacks are highlighted. */
export function jsonLines(value: unknown, other?: unknown): Line[] {
  const whole: Compared = { other, highlighted: false }
  /** At the depth of each line that is not closed. */
  const compared: Compared[] = []
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => {
      const [, indent = '', name, colon = '', scalar, rest = ''] = format.exec(line) ?? []
      const depth = indent.length / 2
      const parent = compared[depth - 1]
      if (!/^[\]}]/.test(rest)) compared[depth] = parent ? compare(parent, name) : whole
      const kind = scalar?.startsWith('"') ? 'text' : 'value'
      const tokens: Token[] = [
        ...(name ? [{ text: name, kind: 'name' as const }, { text: colon }] : []),
        ...(scalar ? [{ text: scalar, kind } as const] : []),
        { text: rest },
      ]
      return { tokens, depth, highlighted: compared[depth]?.highlighted === true }
    })
}
