import { readFaultTable, startFaultServer } from '@saleproof/faults'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, type Project } from './project.ts'
import { commands } from './runtimes.ts'

// clients/faults.json, by the packed tarball on every runtime.

const { cases } = readFaultTable()
type Results = Readonly<Record<string, readonly string[]>>
const timeout = 120_000

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

const runtimes: Record<string, () => Promise<unknown>> = {
  workerd: () => project.runWorker('faults-miniflare.mjs', 'faults-worker.mjs', server.url, timeout),
}
for (const runtime of Object.keys(commands)) {
  runtimes[runtime] = () => project.run(runtime, 'faults.mjs', server.url, timeout)
}

describe.each(Object.entries(runtimes))('%s survives', (_, run) => {
  let results: Results

  beforeAll(async () => {
    // One case has one entry: that what went well, and what was wrong otherwise.
    results = (await run()) as Results
  })

  it.each(cases)('$name', ({ name }) => expect(results[name]).toEqual([]))
})
