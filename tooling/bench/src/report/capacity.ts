import { assumptions, type Cost } from '../capacity/cost.ts'
import { type Plan, planFor, type Target } from '../capacity/plan.ts'
import { largestShare } from '../capacity/spread.ts'
import { formatTable, formatNumber as number } from './table.ts'

const targets: readonly Target[] = [
  { purchases: 1e6, requestsPerSecond: 1e3 },
  { purchases: 1e7, requestsPerSecond: 1e4 },
  { purchases: 1e8, requestsPerSecond: 1e4 },
  { purchases: 1e8, requestsPerSecond: 1e5 },
  { purchases: 1e9, requestsPerSecond: 1e4 },
  { purchases: 1e9, requestsPerSecond: 1e5 },
]

const count = (value: number) => value.toLocaleString('en')
const percent = (part: number) => `${number(part * 100)} %`

const head = [
  'purchases',
  'requests a second',
  'instances',
  'machines',
  'one copy, GB',
  'hottest: processors',
  'index, GB',
  'disk reads a second',
  'p99, ms',
]

const row = ({
  purchases,
  requestsPerSecond,
  instances,
  machines,
  gigabytes,
  hottest,
  p99Milliseconds,
}: Plan) => [
  count(purchases),
  count(requestsPerSecond),
  count(instances),
  count(machines),
  number(gigabytes),
  percent(hottest.busyPart),
  number(hottest.indexGigabytes),
  count(Math.round(hottest.diskReadsPerSecond)),
  number(p99Milliseconds),
]

const costs = (cost: Cost) =>
  formatTable(
    ['measured, with', `${count(cost.purchases)} purchases`],
    [
      ['processor time of a validation in the service, on a file', `${number(cost.serviceMicroseconds)} µs`],
      [
        'of the statement that finds key and purchase in PostgreSQL',
        `${number(cost.databaseMicroseconds)} µs`,
      ],
      ['a purchase in its table', `${number(cost.rowBytes)} B`],
      ['the same in its indexes', `${number(cost.indexBytes)} B`],
    ],
  )

/** What a machine of the database can be asked for, and so the largest workspace that stays whole on one. */
function mostOfOneMachine({ databaseMicroseconds, indexBytes }: Cost): string {
  const requests = (assumptions.cores * assumptions.busyPart * 1e6) / databaseMicroseconds
  const purchases = (assumptions.memoryGigabytes * 1e9 * assumptions.cachePart) / indexBytes
  return `One machine of the database answers ${count(Math.round(requests / 1000) * 1000)} validations a second and keeps the indexes of ${count(Math.round(purchases / 1e6) * 1e6)} purchases in memory. The largest of ${count(assumptions.workspaces)} workspaces has ${percent(largestShare)} of everything.`
}

/** What growth needs, from what a request costs. */
export const formatCapacity = (cost: Cost) =>
  [
    costs(cost),
    formatTable(
      head,
      targets.map((target) => row(planFor(target, cost))),
    ),
    mostOfOneMachine(cost),
  ].join('\n\n')
