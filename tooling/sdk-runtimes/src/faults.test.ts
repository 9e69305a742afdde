import { type FaultCase, readFaultTable, startFaultServer } from '@saleproof/faults'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, type Project } from './project.ts'
import { commands, compatibilityDates } from './runtimes.ts'

// clients/faults.json, by the packed tarball on every runtime.

const { cases } = readFaultTable()
type Results = Readonly<Record<string, readonly string[]>>

let project: Project
let server: Awaited<ReturnType<typeof startFaultServer>>

beforeAll(async () => {
  project = await createProject()
  server = await startFaultServer()
})

afterAll(() => {
  server?.close()
  project?.remove()
})

const runtimes: [runtime: string, run: () => Promise<unknown>, table: readonly FaultCase[]][] = Object.keys(
  commands,
).map((runtime) => [runtime, () => project.run(runtime, 'faults.mjs', server.url), cases])
for (const date of compatibilityDates) {
  runtimes.push([
    `workerd of ${date}`,
    () => project.runWorker('faults-miniflare.mjs', 'faults-worker.mjs', date, server.url),
    cases.filter((fault) => !fault.process),
  ])
}

describe.each(runtimes)('%s survives', (_, run, table) => {
  let results: Results

  beforeAll(async () => {
    // Each case has an entry, empty where nothing was wrong.
    results = (await run()) as Results
  })

  it.each(table)('$name', ({ name }) => expect(results[name]).toEqual([]))
})
