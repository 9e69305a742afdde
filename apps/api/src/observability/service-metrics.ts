import type { Registry } from 'prom-client'
import type { DatabaseSizes } from '../db/database.ts'
import { databaseErrors, errorMetric } from '../db/errors.ts'
import { collectedMetrics } from './collected-metrics.ts'

export function createDatabaseStats() {
  const errors = new Map(Object.values(databaseErrors).map(({ metric }) => [metric, 0]))
  let prismaQueries = 0
  return {
    recordError(error: unknown) {
      const metric = errorMetric(error)
      errors.set(metric, (errors.get(metric) ?? 0) + 1)
    },
    recordPrismaQuery() {
      prismaQueries++
    },
    errors: () => [...errors],
    prismaQueries: () => prismaQueries,
  }
}

export interface ServiceParts {
  sizes: () => Promise<DatabaseSizes>
  database: Pick<ReturnType<typeof createDatabaseStats>, 'errors' | 'prismaQueries'>
  /** Undefined where Prisma runs all queries. */
  fastPath: { stats: () => { responses: number; reads: number } } | undefined
  /** How often each limit had each result. */
  limits: Readonly<Record<string, Readonly<Record<string, number>>>>
  connections: () => number
  spans: { exported: number; failed: number } | undefined
}

type Collected = ReturnType<typeof collectedMetrics>

function measureDatabase({ counter, gauge }: Collected, { fastPath, database, sizes }: ServiceParts) {
  counter(
    'saleproof_fast_path_responses_total',
    'Requests that the fast path handled; the routes handled all others',
    [],
    () => [[{}, fastPath?.stats().responses ?? 0]],
  )
  counter(
    'saleproof_database_queries_total',
    'Statements of the fast path, and Prisma calls of everything else',
    ['client'],
    function* () {
      if (fastPath) yield [{ client: 'fast_path' }, fastPath.stats().reads]
      yield [{ client: 'prisma' }, database.prismaQueries()]
    },
  )
  counter(
    'saleproof_database_errors_total',
    'Database errors that made a request fail, by kind',
    ['kind'],
    () => database.errors().map(([kind, count]) => [{ kind }, count] as const),
  )
  gauge(
    'saleproof_database_file_bytes',
    'Size of the database files: main, its log (wal) and usage (usage)',
    ['file'],
    async () => Object.entries((await sizes()).parts).map(([file, size]) => [{ file }, size] as const),
    'max',
  )
  gauge(
    'saleproof_database_disk_free_bytes',
    'Free space on the disk of the database',
    [],
    async () => {
      const { free } = await sizes()
      return free === undefined ? [] : [[{}, free]]
    },
    'min',
  )
}

export function measureService(registry: Registry, parts: ServiceParts) {
  const collected = collectedMetrics(registry)
  const { counter, gauge } = collected
  measureDatabase(collected, parts)
  counter(
    'saleproof_rate_limit_results_total',
    'Requests that counted against a limit, by result',
    ['limit', 'result'],
    function* () {
      for (const [limit, results] of Object.entries(parts.limits))
        for (const [result, count] of Object.entries(results)) yield [{ limit, result }, count]
    },
  )
  gauge('saleproof_connections', 'Open connections', [], () => [[{}, parts.connections()]])
  counter('saleproof_trace_spans_total', 'Spans, by the result of their export', ['result'], () => [
    [{ result: 'exported' }, parts.spans?.exported ?? 0],
    [{ result: 'failed' }, parts.spans?.failed ?? 0],
  ])
}
