import { collectDefaultMetrics, type Registry } from 'prom-client'
import { version } from '../package.ts'
import { collectedMetrics } from './collected-metrics.ts'

const { eventLoopUtilization } = performance

/** Several processes are as slow as the slowest: a mean would hide its delay. The latest start time shows a restart. */
const maxOfAll = [
  'nodejs_eventloop_lag_seconds',
  'nodejs_eventloop_lag_mean_seconds',
  'nodejs_eventloop_lag_p50_seconds',
  'nodejs_eventloop_lag_p90_seconds',
  'nodejs_eventloop_lag_p99_seconds',
  'process_start_time_seconds',
]

/** CPU, memory, garbage collection, event loop and build. */
export function measureProcess(registry: Registry) {
  collectDefaultMetrics({ register: registry })
  for (const name of maxOfAll) Object.assign(registry.getSingleMetric(name) ?? {}, { aggregator: 'max' })
  const { counter, gauge } = collectedMetrics(registry)
  counter(
    'saleproof_event_loop_seconds_total',
    'Time that the event loop was busy (active) or idle',
    ['state'],
    function* () {
      const { active, idle } = eventLoopUtilization.call(performance)
      yield [{ state: 'active' }, active / 1000]
      yield [{ state: 'idle' }, idle / 1000]
    },
  )
  gauge('saleproof_processes', 'Processes that serve and were measured', [], () => [[{}, 1]])
  const build = { version }
  gauge(
    'saleproof_build_info',
    'Always 1; the build is in the labels',
    ['version'],
    () => [[build, 1]],
    'first',
  )
}
