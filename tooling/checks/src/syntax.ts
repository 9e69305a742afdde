/** A node of a syntax tree, as far as these checks look into it. */
export interface Node {
  type: string
  start: number
  end: number
  [member: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

const children = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

/** Visits a tree, parents first. */
export function walk(node: Node, visit: (node: Node) => void) {
  visit(node)
  for (const child of children(node)) walk(child, visit)
}

const isFunction = ({ type }: Node) =>
  type === 'ArrowFunctionExpression' || /^Function(Expression|Declaration)$/.test(type)

const functionsIn = (node: Node): Node[] =>
  children(node).flatMap((child) => (isFunction(child) ? [child] : functionsIn(child)))

export const allFunctions = (node: Node): Node[] =>
  functionsIn(node).flatMap((inner) => [inner, ...allFunctions(inner)])

/**
 * The lines of a function without those of the functions in it: a factory that returns closures is a small module, and as easy to
 * read as each of its parts.
 */
export function ownLines(node: Node, text: string): number {
  const lines = ({ start, end }: Node) => text.slice(start, end).split('\n').length
  return functionsIn(node).reduce((left, inner) => left - (lines(inner) - 1), lines(node))
}
