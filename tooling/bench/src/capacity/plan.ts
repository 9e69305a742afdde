import { assumptions, type Cost } from './cost.ts'
import { p99Through } from './queue.ts'
import { hottestShare } from './spread.ts'

export interface Target {
  purchases: number
  requestsPerSecond: number
}

export interface Plan extends Target {
  /** Of the service. */
  instances: number
  /** Of the database: those that answer, without the copies that take over. */
  machines: number
  /** One copy of everything. */
  gigabytes: number
  /** Of the machine that has most to do. */
  hottest: { busyPart: number; indexGigabytes: number; diskReadsPerSecond: number }
  p99Milliseconds: number
}

const machineCounts = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128]
const cacheBytes = assumptions.memoryGigabytes * 1e9 * assumptions.cachePart

function hottestOf(machines: number, { purchases, requestsPerSecond }: Target, cost: Cost) {
  const share = hottestShare(machines)
  const indexBytes = share * purchases * cost.indexBytes
  const rowBytes = share * purchases * cost.rowBytes
  const cachedRows = Math.min(1, Math.max(0, cacheBytes - indexBytes) / rowBytes)
  return {
    busyPart: (share * requestsPerSecond * cost.databaseMicroseconds) / 1e6 / assumptions.cores,
    indexGigabytes: indexBytes / 1e9,
    diskReadsPerSecond: share * requestsPerSecond * (1 - cachedRows),
  }
}

/** A machine has enough processors for its share, and its indexes stay in memory: then a look-up reads the disk once at most. */
const isEnough = ({ busyPart, indexGigabytes }: Plan['hottest']) =>
  busyPart <= assumptions.busyPart && indexGigabytes * 1e9 <= cacheBytes

/** What a target needs. */
export function planFor(target: Target, cost: Cost): Plan {
  const { requestsPerSecond, purchases } = target
  const serviceCores = (requestsPerSecond * cost.serviceMicroseconds) / 1e6
  const instances = Math.max(2, Math.ceil(serviceCores / assumptions.busyPart / assumptions.instanceCores))
  const machines = machineCounts.find((count) => isEnough(hottestOf(count, target, cost)))
  if (machines === undefined) throw new Error('more than the largest number of machines that is tried')
  const hottest = hottestOf(machines, target, cost)
  const queues = [
    {
      servers: assumptions.instanceCores,
      busyPart: serviceCores / instances / assumptions.instanceCores,
      meanMilliseconds: cost.serviceMicroseconds / 1000,
    },
    {
      servers: assumptions.cores,
      busyPart: hottest.busyPart,
      meanMilliseconds: cost.databaseMicroseconds / 1000,
    },
  ]
  return {
    ...target,
    instances,
    machines,
    gigabytes: (purchases * (cost.rowBytes + cost.indexBytes)) / 1e9,
    hottest,
    p99Milliseconds: p99Through(queues, assumptions.networkMilliseconds),
  }
}
