import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createRandom, newSeed } from '../support/random.ts'
import { startCluster } from './cluster.ts'
import { createFaults, type Fault } from './faults.ts'
import { createReport } from './report.ts'
import { createWorkload } from './workload.ts'

// A fault or two in a test run; CHAOS_MINUTES=60 is an hour of them.
const minutes = Number(process.env.CHAOS_MINUTES || 0.25)
const seed = newSeed()

const joined = (one: Fault, other: Fault): Fault => ({
  name: `${one.name} + ${other.name}`,
  hangs: false,
  joined: true,
  silent: one.silent || other.silent || false,
  run: async () => Math.max(...(await Promise.all([one.run(), other.run()]))),
})

test(`four instances behind HAProxy: no wrong answer, whatever fails (seed ${seed})`, {
  retry: 0,
  timeout: minutes * 60_000 + 240_000,
}, async () => {
  const random = createRandom(seed)
  const cluster = await startCluster()
  const workload = createWorkload(cluster.url, random)
  await workload.start()
  await sleep(3000)
  workload.takeOutcomes()
  const faults = createFaults(cluster, random, workload)
  const report = createReport()
  const end = performance.now() + minutes * 60_000
  let rest: Fault[] = []
  /** Each once before any comes again. */
  function next() {
    if (rest.length === 0) rest = [...faults]
    return rest.splice(random.below(rest.length), 1)[0]!
  }
  while (performance.now() < end) {
    const one = next()
    const others = faults.filter(({ joins, name }) => joins && name !== one.name)
    const fault = random.below(4) === 0 ? joined(one, random.pick(others)) : one
    const writable = await fault.run().catch((error) => {
      report.broken.push(`${fault.name}: ${error}`)
      return performance.now()
    })
    await cluster.untilReady(60_000)
    await sleep(3000)
    report.add({ fault, outcomes: workload.takeOutcomes(), writable, ended: performance.now() })
  }
  await workload.stop()
  console.log(report.table())
  expect(workload.wrong).toEqual([])
  expect(report.broken).toEqual([])
  // A test run shares its machine with others.
  if (process.env.CHAOS_MINUTES) expect(report.late).toEqual([])
})
