import { createClient } from '@saleproof/sdk'
import { createGate } from '@saleproof/sdk/gate'
import { createWorkersKvStore } from '@saleproof/sdk/workers-kv'

const pepper = 'a pepper of at least 32 characters'
const gates = new Map()
const writtenAt = new Map()
const writes = { done: 0, tooEarly: 0, errors: [] }

/** The namespace, with the limit of Cloudflare's own, which Miniflare lacks. */
function limited(namespace) {
  const write =
    (name) =>
    async (key, ...args) => {
      const tooEarly = Date.now() - (writtenAt.get(key) ?? 0) < 1_000
      writes[tooEarly ? 'tooEarly' : 'done'] += 1
      if (tooEarly) throw new Error('KV PUT failed: 429 Too Many Requests')
      writtenAt.set(key, Date.now())
      return await namespace[name](key, ...args)
    }
  return { get: (key) => namespace.get(key), put: write('put'), delete: write('delete') }
}

/** A gate with a memory of its own, as another isolate has one. */
function createGateFor(name, env) {
  const client = createClient({ baseUrl: env.SALEPROOF_URL, apiKey: 'sp_runtime_key_0123456789' })
  const store = createWorkersKvStore(limited(env.PURCHASES), { pepper })
  const log = ({ event, error }) => event === 'store-error' && writes.errors.push(error.message)
  const gate = gates.get(name) ?? createGate({ client, store, log, onUnknown: { allowCachedMs: 3_600_000 } })
  gates.set(name, gate)
  return gate
}

export default {
  async fetch(request, env) {
    const { searchParams } = new URL(request.url)
    if (searchParams.has('writes')) return Response.json(writes)
    const gate = createGateFor(searchParams.get('gate'), env)
    const code = searchParams.get('code')
    if (searchParams.has('forget')) return Response.json(String(await gate.forget(code)))
    const { outcome, source } = await gate.check(code)
    return Response.json([outcome, source])
  },
}
