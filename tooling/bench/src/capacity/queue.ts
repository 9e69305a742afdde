import { createRandom, quantile } from '../statistics.ts'

const arrivals = 50_000

interface Queue {
  servers: number
  /** Of their time, how much they work. */
  busyPart: number
  meanMilliseconds: number
}

/** The times from arrival to answer in a queue that is asked by chance, and works by chance as long as it does on average. */
export function timesIn({ servers, busyPart, meanMilliseconds }: Queue, seed = 1): number[] {
  const random = createRandom(seed)
  const chance = (mean: number) => -Math.log(1 - random()) * mean
  const freeAt = new Float64Array(servers)
  const between = meanMilliseconds / (servers * busyPart)
  let now = 0
  return Array.from({ length: arrivals }, () => {
    now += chance(between)
    const next = freeAt.indexOf(Math.min(...freeAt))
    const done = Math.max(now, freeAt[next]!) + chance(meanMilliseconds)
    freeAt[next] = done
    return done - now
  })
}

/** The time that all but one of a hundred requests stay below which pass through queues one after the other. */
export function p99Through(queues: readonly Queue[], between: number): number {
  const times = queues.map((queue, index) => timesIn(queue, index + 1))
  return quantile(
    times[0]!.map((_, request) => between + times.reduce((sum, series) => sum + series[request]!, 0)),
    0.99,
  )
}
