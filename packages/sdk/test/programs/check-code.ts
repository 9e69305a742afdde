import { createGate } from '../../src/gate/index.ts'
import { createClient } from '../../src/index.ts'
import { createFileStore } from '../../src/node/index.ts'

// Checks one code as a program does that was just started, and prints the result. Argument: the options below as JSON.
const { baseUrl, apiKey, directory, pepper, code, later, timeoutMs, maxWaitMs } = JSON.parse(
  process.argv[2] ?? '{}',
)
const now = () => Date.now() + later
const events: string[] = []

const gate = createGate({
  client: createClient({ baseUrl, apiKey, maxRetries: 0, timeoutMs }),
  onUnknown: { allowCachedMs: 72 * 3_600_000 },
  store: createFileStore({ directory, pepper, now }),
  log: ({ event }) => events.push(event),
  maxWaitMs,
  now,
})
const check = await gate.check(code)
console.log(
  JSON.stringify({
    outcome: check.outcome,
    source: check.source,
    storeFailed: events.includes('store-error'),
  }),
)
