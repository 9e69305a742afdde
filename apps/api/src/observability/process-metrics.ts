import { collectDefaultMetrics, type Registry } from 'prom-client'
import { version } from '../version.ts'
import { keptMetric } from './collected-metric.ts'

const { eventLoopUtilization } = performance

/** Several processes are as slow as the slowest: the mean of their delays would hide it. What started last tells of a restart. */
const largestOfAll = [
  'nodejs_eventloop_lag_seconds',
  ...['mean', 'p50', 'p90', 'p99'].map((figure) => `nodejs_eventloop_lag_${figure}_seconds`),
  'process_start_time_seconds',
]

/** What is measured of the process whatever it does: processor, memory, garbage collection, event loop; and what runs. */
export function measureProcess(registry: Registry) {
  collectDefaultMetrics({ register: registry })
  for (const name of largestOfAll) Object.assign(registry.getSingleMetric(name)!, { aggregator: 'max' })
  keptMetric(
    registry,
    {
      name: 'saleproof_event_loop_seconds_total',
      help: 'Time that the event loop was busy (active) or waited for something to do (idle)',
      kind: 'counter',
      labels: ['state'],
    },
    function* () {
      const { active, idle } = eventLoopUtilization.call(performance)
      yield [{ state: 'active' }, active / 1000]
      yield [{ state: 'idle' }, idle / 1000]
    },
  )
  keptMetric(
    registry,
    { name: 'saleproof_processes', help: 'Processes that serve and were measured', kind: 'gauge' },
    () => [[{}, 1]],
  )
  keptMetric(
    registry,
    {
      name: 'saleproof_build_info',
      help: 'Always 1; what runs is in the labels',
      kind: 'gauge',
      labels: ['version'],
      over: 'first',
    },
    () => [[{ version }, 1]],
  )
}
