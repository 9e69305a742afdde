import { parseAst } from 'rolldown/parseAst'
import { describe, expect, test } from 'vitest'
import { codeSpans, tableRows } from './markdown.ts'
import { files, read, sources } from './repository.ts'
import { type Node, walk } from './syntax.ts'

const page = read('SECURITY.md')

/** https://owasp.org/API-Security/editions/2023/en/0x11-t10/ */
const risks = [
  'API1:2023 Broken Object Level Authorization',
  'API2:2023 Broken Authentication',
  'API3:2023 Broken Object Property Level Authorization',
  'API4:2023 Unrestricted Resource Consumption',
  'API5:2023 Broken Function Level Authorization',
  'API6:2023 Unrestricted Access to Sensitive Business Flows',
  'API7:2023 Server Side Request Forgery',
  'API8:2023 Security Misconfiguration',
  'API9:2023 Improper Inventory Management',
  'API10:2023 Unsafe Consumption of APIs',
]

describe('the threat model', () => {
  const rows = tableRows(page).filter(([name = '']) => name.startsWith('API'))

  test('names each risk of the OWASP API Security Top 10 once', () => {
    expect(rows.map(([name]) => name)).toEqual(risks)
  })

  test.each(rows)('%s has an answer and tests that there are', (_, answer = '', shown = '') => {
    expect(answer.length).toBeGreaterThan(80)
    const tests = codeSpans(shown)
    expect(tests.length).toBeGreaterThan(1)
    for (const file of tests) {
      expect(file).toMatch(/\.test\.ts$/)
      expect(files, file).toContain(file)
      expect(read(file), file).toMatch(/\b(?:test|describe)\b/)
    }
  })
})

describe('the service asks nobody whose address comes from outside', () => {
  const service = sources.filter((file) => file.startsWith('apps/api/src/'))
  /** What talks to others, and where whoever runs the service names them. */
  const allowed: Readonly<Record<string, string>> = {
    ioredis: 'apps/api/src/rate-limit/',
    pg: 'apps/api/src/',
    // How connections of the database are made; it makes none.
    'node:tls': 'apps/api/src/db/postgres/tls.ts',
    '@opentelemetry/exporter-trace-otlp-http': 'apps/api/src/observability/tracing/provider.ts',
    '@opentelemetry/exporter-trace-otlp-proto': 'apps/api/src/observability/tracing/provider.ts',
  }
  const clients =
    /^(?:node:)?(?:https|http2|tls|dgram|dns)$|^(?:undici|axios|got|node-fetch|ioredis|redis|pg)$|otlp/
  const asking = new Set(['request', 'get', 'connect', 'createConnection'])

  interface Import extends Node {
    importKind?: string
    source: Node & { value: string }
    specifiers: (Node & { importKind?: string; imported?: { name: string } })[]
  }

  /** How a file could ask somebody. */
  function waysIn(file: string): string[] {
    const found: string[] = []
    walk(parseAst(read(file), { lang: 'ts' }) as unknown as Node, (node) => {
      const { callee } = node as { callee?: Node & { name?: string } }
      if (node.type === 'CallExpression' && callee?.type === 'Identifier' && callee.name === 'fetch')
        found.push('fetch')
      if (node.type !== 'ImportDeclaration' || (node as Import).importKind === 'type') return
      const { source, specifiers } = node as Import
      if (clients.test(source.value)) found.push(source.value)
      if (!/^(?:node:)?(?:http|net)$/.test(source.value)) return
      for (const { imported, importKind } of specifiers)
        if (importKind !== 'type' && (!imported || asking.has(imported.name)))
          found.push(`${source.value} ${imported?.name ?? '*'}`)
    })
    return found
  }

  test('no source can, but for those of the database, Redis and traces', () => {
    expect(service.length).toBeGreaterThan(100)
    const wrong = service.flatMap((file) =>
      waysIn(file)
        .filter((way) => !allowed[way] || !file.startsWith(allowed[way]))
        .map((way) => `${file}: ${way}`),
    )
    expect(wrong).toEqual([])
  })

  test('those that may are seen', () => {
    expect(waysIn('apps/api/src/observability/tracing/provider.ts')).toHaveLength(2)
  })
})
