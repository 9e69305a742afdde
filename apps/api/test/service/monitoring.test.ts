import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCodes, errors } from '@saleproof/schema'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { routeGroups } from '../../src/observability/request-metrics.ts'
import { packageRoot } from '../support/folders.ts'
import { startService } from '../support/harness.ts'
import { metricsToken, requests, samplesOf } from '../support/metrics-traffic.ts'
import { type Expression, type Matcher, takeApart } from '../support/promql.ts'
import { records } from '../support/records.ts'

const read = (path: string) => readFileSync(join(packageRoot, path), 'utf8')

interface Rule {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string; description: string; runbook: string }
}

interface Panel {
  id: number
  type: string
  title: string
  description: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string; legendFormat: string }[]
}

const rules: Rule[] = parse(read('deploy/monitoring/alerts.yaml')).groups.flatMap(
  ({ rules: own }: { rules: Rule[] }) => own,
)
const dashboard = JSON.parse(read('deploy/monitoring/dashboard.json'))
const panels: Panel[] = dashboard.panels
const page = read('docs/monitoring.md')

const queries = [
  ...rules.map(({ alert, expr }) => ({ name: `alert ${alert}`, expr })),
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ name: `panel ${title}`, expr })),
  ),
  ...dashboard.annotations.list.map(({ name, expr }: { name: string; expr: string }) => ({ name, expr })),
].map((query) => ({ ...query, ...takeApart(query.expr) }))

/** Every metric that the service exposes, with its labels and their values. */
const exposed = new Map<string, Map<string, Set<string>>>()
const helped = new Set<string>()
/** What Prometheus adds to each. */
const ofPrometheus = ['job', 'instance']

beforeAll(async () => {
  const service = await startService({
    records,
    env: { METRICS_TOKEN: metricsToken, SALEPROOF_FAST_PATH: 'on', SALEPROOF_RATE_LIMIT: '1000/60' },
  })
  for (const sent of requests) await service.request(sent)
  const { text } = await service.request({
    path: '/metrics',
    headers: { authorization: `Bearer ${metricsToken}` },
  })
  await service.close()
  for (const [, name = ''] of text.matchAll(/^# HELP (\w+)/gm)) helped.add(name)
  for (const { name, labels } of samplesOf(text)) {
    const known = exposed.get(name) ?? new Map<string, Set<string>>()
    exposed.set(name, known)
    for (const [label, value] of Object.entries(labels))
      known.set(label, (known.get(label) ?? new Set()).add(value))
  }
  exposed.set('up', new Map())
  // SQLite alone: the log of a server is for its operator.
  exposed.get('saleproof_database_file_bytes')!.get('file')!.add('wal')
  // Only the process that started the others knows of it; test/processes.test.ts sees it there.
  exposed.set('saleproof_workers_ended_total', new Map())
  helped.add('saleproof_workers_ended_total')
})

const labelsOf = (metric: string) => [...(exposed.get(metric)?.keys() ?? []), ...ofPrometheus]

const statuses = ['200', '304', '401', ...Object.values(errors).map(({ status }) => String(status))]

/** Every value that a label can have. */
function valuesOf(metric: string, label: string): string[] {
  if (label === 'operation') return [...routeGroups]
  if (label === 'code') return ['none', ...errorCodes]
  return label === 'status' ? statuses : [...(exposed.get(metric)?.get(label) ?? [])]
}

function fits({ label, operator, value }: Matcher, metric: string) {
  if (ofPrometheus.includes(label)) return true
  const values = valuesOf(metric, label)
  // Each of the alternatives has to be one that there is.
  return operator.endsWith('~')
    ? value.split('|').every((part) => values.some((one) => new RegExp(`^(?:${part})$`).test(one)))
    : values.includes(value)
}

function problemsOf({ broken, selectors, grouping }: Expression) {
  const unknown = selectors.filter(({ metric }) => !exposed.has(metric)).map(({ metric }) => metric)
  const matchers = selectors.flatMap(({ metric, matchers: own }) =>
    own.map((matcher) => ({ metric, matcher })),
  )
  const wrongLabels = matchers.filter(({ metric, matcher }) => !labelsOf(metric).includes(matcher.label))
  const wrongValues = matchers.filter(
    ({ metric, matcher }) => labelsOf(metric).includes(matcher.label) && !fits(matcher, metric),
  )
  const known = selectors.flatMap(({ metric }) => labelsOf(metric))
  return [
    ...broken,
    ...unknown.map((metric) => `no metric ${metric}`),
    ...wrongLabels.map(({ metric, matcher }) => `no label ${matcher.label} of ${metric}`),
    ...wrongValues.map(({ matcher }) => `no ${matcher.label} is ${matcher.value}`),
    ...grouping.filter((label) => !known.includes(label)).map((label) => `no label ${label} to group by`),
  ]
}

describe('dashboard and alerts', () => {
  test('ask for metrics, labels and values that there are', () => {
    expect(queries.length).toBeGreaterThan(40)
    const wrong = queries.flatMap(({ name, ...query }) => problemsOf(query).map((what) => `${name}: ${what}`))
    expect(wrong).toEqual([])
  })

  test.each([
    ['rate(saleproof_requests[5m])', 'no metric saleproof_requests'],
    ['saleproof_requests_total{route="/x"}', 'no label route of saleproof_requests_total'],
    ['sum by (workspace) (saleproof_connections)', 'no label workspace to group by'],
    ['saleproof_requests_total{code="purchase_lost"}', 'no code is purchase_lost'],
    ['saleproof_database_errors_total{kind=~"full|gone"}', 'no kind is full|gone'],
    ['sum(rate(saleproof_connections[5m])', expect.stringContaining('(at ')],
  ])('%s would be noticed', (expr, problem) => {
    expect(problemsOf(takeApart(expr))).toContainEqual(problem)
  })

  test('rates are taken of what only grows, and of nothing else', () => {
    for (const { name, expr } of queries)
      for (const [, metric] of expr.matchAll(/\b(?:rate|increase)\(\s*(\w+)/g))
        expect(metric, name).toMatch(/_(total|sum|count|bucket)$/)
  })

  test('every metric of ours is on the dashboard', () => {
    const shown = new Set(
      panels
        .flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => takeApart(expr).selectors))
        .map(({ metric }) => metric.replace(/_(sum|count|bucket)$/, '')),
    )
    expect([...helped].filter((name) => name.startsWith('saleproof_') && !shown.has(name))).toEqual([])
  })
})

describe('the dashboard', () => {
  test('says of each panel what it shows, and overlaps nowhere', () => {
    const cells = new Set<string>()
    for (const { type, title, description, gridPos, targets = [] } of panels) {
      const { x, y, w, h } = gridPos
      for (let column = x; column < x + w; column++)
        for (let line = y; line < y + h; line++) {
          expect(cells.has(`${column} ${line}`), title).toBe(false)
          cells.add(`${column} ${line}`)
        }
      expect(x + w).toBeLessThanOrEqual(24)
      if (type !== 'row') expect(description?.length, title).toBeGreaterThan(5)
      for (const { legendFormat, expr } of targets)
        for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
          expect([...takeApart(expr).grouping, 'instance'], title).toContain(label)
    }
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  })

  test('uses no variable that it does not have', () => {
    const own = [
      '__rate_interval',
      '__range',
      ...dashboard.templating.list.map(({ name }: { name: string }) => name),
    ]
    const used = [...JSON.stringify(dashboard).matchAll(/\$\{?(\w+)/g)].map(([, name]) => name)
    expect(used.filter((name) => !['__all', ...own].includes(name!))).toEqual([])
  })
})

describe('the alerts', () => {
  test('say how urgent they are, and name their part of the page', () => {
    for (const { alert, labels, annotations } of rules) {
      expect(['page', 'ticket'], alert).toContain(labels.severity)
      expect(annotations.runbook).toBe(`monitoring.md#${alert.toLowerCase()}`)
      for (const text of [annotations.summary, annotations.description]) {
        expect(text?.length, alert).toBeGreaterThan(10)
        const labelsUsed = [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label!)
        const { grouping, selectors } = takeApart(rules.find((rule) => rule.alert === alert)!.expr)
        const kept = grouping.length ? grouping : selectors.flatMap(({ metric }) => labelsOf(metric))
        for (const label of labelsUsed) expect(kept, alert).toContain(label)
      }
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  })

  test('each has a part that says what to do, and each part an alert', () => {
    const parts = page.split(/^(?=#)/m).filter((part) => part.startsWith('### Saleproof'))
    const names = parts.map((part) => /^### (\w+)/.exec(part)![1])
    expect(names).toEqual(rules.map(({ alert }) => alert))
    for (const part of parts) expect(part.trim().split('\n').length, part).toBeGreaterThan(2)
  })
})

test('the page describes every metric of ours with its labels, and no other', () => {
  const rows = [...page.matchAll(/^\| `(saleproof_\w+)` \|([^|]*)\|/gm)]
  const described = rows.map(([, name, labels = '']) => [
    name,
    [...labels.matchAll(/`(\w+)`/g)].map(([, l]) => l),
  ])
  const ours = [...helped].filter((name) => name.startsWith('saleproof_'))
  const real = ours.map((name) => {
    const samples = exposed.get(name) ?? exposed.get(`${name}_count`)
    return [name, [...(samples?.keys() ?? [])]]
  })
  expect(Object.fromEntries(described)).toEqual(Object.fromEntries(real))
})
