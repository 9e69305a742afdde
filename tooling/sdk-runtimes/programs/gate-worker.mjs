import { createClient } from '@saleproof/sdk'
import { createGate } from '@saleproof/sdk/gate'

// Gates that live as long as the isolate, by name.
const gates = new Map()

function createGateFor(name, baseUrl) {
  const client = createClient({
    baseUrl,
    apiKey: 'sp_runtime_key_0123456789',
    maxRetries: 0,
    timeoutMs: 2_000,
  })
  const gate = gates.get(name) ?? createGate({ client, ttlMs: 1, onUnknown: { allowCachedMs: 60_000 } })
  gates.set(name, gate)
  return gate
}

const toResult = ({ outcome, source, error }) => (error ? [outcome, source, error.kind] : [outcome, source])

export default {
  async fetch(request, env, context) {
    const { searchParams } = new URL(request.url)
    const gate = createGateFor(searchParams.get('gate'), env.SALEPROOF_URL)
    const options = searchParams.has('background') ? { waitUntil: (work) => context.waitUntil(work) } : {}
    const check = gate.check(searchParams.get('code'), options).then(toResult, String)
    // The request ends with its response, while the check is under way.
    return Response.json(searchParams.has('early') ? 'ended' : await check)
  },
}
