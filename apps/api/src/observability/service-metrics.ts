import type { Registry } from 'prom-client'
import type { FastPath } from '../api/fast-path/fast-path.ts'
import type { DatabaseSizes } from '../db/database.ts'
import { keptMetric } from './collected-metric.ts'
import type { DatabaseStats } from './database-stats.ts'
import type { LimitFigures } from './limit-stats.ts'

/** What the parts of the service say of themselves when the metrics are read. */
export interface WatchedParts {
  sizes: () => Promise<DatabaseSizes>
  database: DatabaseStats
  /** Without one Prisma answers all. */
  fastPath: Pick<FastPath, 'stats'> | undefined
  limits: LimitFigures
  connections: () => number
  /** What became of the spans of traces, where they are made. */
  spans: { exported: number; failed: number } | undefined
}

function measureFastPath(registry: Registry, { fastPath }: WatchedParts) {
  const caches = () => Object.entries(fastPath?.stats().caches ?? {})
  keptMetric(
    registry,
    {
      name: 'saleproof_hot_path_answers_total',
      help: 'Requests that the fast path answered; the routes answered all others',
      kind: 'counter',
    },
    () => [[{}, fastPath?.stats().responses ?? 0]],
  )
  keptMetric(
    registry,
    {
      name: 'saleproof_cache_requests_total',
      help: 'What the caches of the fast path were asked for, by whether they had it',
      kind: 'counter',
      labels: ['cache', 'result'],
    },
    function* () {
      for (const [cache, { hits, misses }] of caches()) {
        yield [{ cache, result: 'hit' }, hits]
        yield [{ cache, result: 'miss' }, misses]
      }
    },
  )
  keptMetric(
    registry,
    {
      name: 'saleproof_cache_entries',
      help: 'What the caches of the fast path hold',
      kind: 'gauge',
      labels: ['cache'],
    },
    () => caches().map(([cache, { entries }]) => [{ cache }, entries] as const),
  )
  keptMetric(
    registry,
    {
      name: 'saleproof_cache_bytes',
      help: 'What the caches that are bounded by size hold, as they reckon it',
      kind: 'gauge',
      labels: ['cache'],
    },
    function* () {
      for (const [cache, { bytes }] of caches()) if (bytes !== undefined) yield [{ cache }, bytes]
    },
  )
}

function measureLimits(registry: Registry, { limits }: WatchedParts) {
  keptMetric(
    registry,
    {
      name: 'saleproof_limit_verdicts_total',
      help: 'What was counted against a limit, by whether the limit let it pass',
      kind: 'counter',
      labels: ['limit', 'verdict'],
    },
    function* () {
      for (const [limit, verdicts] of Object.entries(limits)) {
        for (const [verdict, count] of Object.entries(verdicts)) yield [{ limit, verdict }, count]
      }
    },
  )
}

function measureDatabase(registry: Registry, { fastPath, database, sizes }: WatchedParts) {
  keptMetric(
    registry,
    {
      name: 'saleproof_database_queries_total',
      help: 'Statements of the fast path, and calls of Prisma for everything else',
      kind: 'counter',
      labels: ['client'],
    },
    function* () {
      if (fastPath) yield [{ client: 'hot' }, fastPath.stats().reads]
      yield [{ client: 'prisma' }, database.prismaQueries()]
    },
  )
  keptMetric(
    registry,
    {
      name: 'saleproof_database_errors_total',
      help: 'Errors of the database that an answer failed for, by kind',
      kind: 'counter',
      labels: ['kind'],
    },
    () => database.troubles().map(([kind, count]) => [{ kind }, count] as const),
  )
  keptMetric(
    registry,
    {
      name: 'saleproof_database_file_bytes',
      help: 'Size of the files of the database: main, its log (wal) and what traffic writes (traffic)',
      kind: 'gauge',
      labels: ['file'],
      over: 'max',
    },
    async () => Object.entries((await sizes()).parts).map(([file, size]) => [{ file }, size] as const),
  )
  keptMetric(
    registry,
    {
      name: 'saleproof_database_disk_free_bytes',
      help: 'What is left of the disk that the database is on',
      kind: 'gauge',
      over: 'min',
    },
    async () => {
      const { free } = await sizes()
      return free === undefined ? [] : [[{}, free]]
    },
  )
}

/** Metrics of what a service is made of. */
export function measureService(registry: Registry, parts: WatchedParts) {
  measureFastPath(registry, parts)
  measureLimits(registry, parts)
  measureDatabase(registry, parts)
  keptMetric(
    registry,
    { name: 'saleproof_connections', help: 'Connections that are open', kind: 'gauge' },
    () => [[{}, parts.connections()]],
  )
  keptMetric(
    registry,
    {
      name: 'saleproof_trace_spans_total',
      help: 'Spans of traces, by whether the collector took them',
      kind: 'counter',
      labels: ['result'],
    },
    () => {
      const { exported = 0, failed = 0 } = parts.spans ?? {}
      return [
        [{ result: 'exported' }, exported],
        [{ result: 'failed' }, failed],
      ]
    },
  )
}
