import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'

export interface Matcher {
  label: string
  operator: string
  value: string
}

/** What an expression asks for. */
export interface Selector {
  metric: string
  matchers: Matcher[]
}

export interface Expression {
  /** What does not parse. */
  broken: string[]
  selectors: Selector[]
  /** Labels by which it groups or joins. */
  grouping: string[]
  functions: string[]
}

/** What Grafana puts in, as Prometheus would see it. */
const filled = (text: string) =>
  text.replace(/\$__(rate_interval|range|interval)/g, '5m').replace(/\$\{?\w+\}?/g, 'filled-in')

const unquoted = (literal: string) => JSON.parse(literal.replace(/^'(.*)'$/, '"$1"')) as string

/** Takes an expression of PromQL apart, as Prometheus reads it. */
export function takeApart(expression: string): Expression {
  const text = filled(expression)
  const of = (node: SyntaxNode | null | undefined) => (node ? text.slice(node.from, node.to) : '')
  const found: Expression = { broken: [], selectors: [], grouping: [], functions: [] }
  parser.parse(text).iterate({
    enter({ node, name, type }) {
      if (type.isError) found.broken.push(`${text} (at ${node.from})`)
      if (name === 'FunctionIdentifier') found.functions.push(of(node))
      if (name === 'GroupingLabels') found.grouping.push(...node.getChildren('LabelName').map(of))
      if (name === 'VectorSelector')
        found.selectors.push({ metric: of(node.getChild('Identifier')), matchers: [] })
      if (name !== 'UnquotedLabelMatcher') return
      const label = of(node.getChild('LabelName'))
      const operator = of(node.getChild('MatchOp'))
      const value = unquoted(of(node.getChild('StringLiteral')))
      found.selectors.at(-1)!.matchers.push({ label, operator, value })
    },
  })
  return found
}
