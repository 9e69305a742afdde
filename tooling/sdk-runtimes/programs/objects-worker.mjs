import { createClient } from '@saleproof/sdk'
import { createDurableObjectsStore } from '@saleproof/sdk/durable-objects'
import { createGate } from '@saleproof/sdk/gate'

export { SaleproofObject } from '@saleproof/sdk/durable-objects'

const pepper = 'a pepper of at least 32 characters'
const gates = new Map()
const writes = []
const errors = []

/** The namespace, which counts what is written under each name. */
const counted = (objects) => ({
  getByName: (name) => ({
    fetch(url, init) {
      if ('text' in JSON.parse(init.body)) writes.push(name)
      return objects.getByName(name).fetch(url, init)
    },
  }),
})

/** A gate with a memory of its own, as another isolate has one. */
function createGateFor(name, env) {
  const client = createClient({ baseUrl: env.SALEPROOF_URL, apiKey: 'sp_runtime_key_0123456789' })
  const store = createDurableObjectsStore(counted(env.PURCHASES), { pepper })
  const log = ({ event, error }) => event === 'store-error' && errors.push(error.message)
  const gate = gates.get(name) ?? createGate({ client, store, log, onUnknown: { allowCachedMs: 3_600_000 } })
  gates.set(name, gate)
  return gate
}

/** What an object of its own says after it was written with this life. */
async function writeDirectly(env, keepMs) {
  const send = async (change) => {
    const init = { method: 'POST', body: JSON.stringify({ ...change, keepMs }) }
    return (await env.PURCHASES.getByName('direct').fetch('https://object/', init)).json()
  }
  const said = [await send({ text: 'kept' })]
  said.push(await send({ text: 'late', previous: '' }), await send({ text: 'next', previous: 'kept' }))
  await new Promise((resolve) => setTimeout(resolve, keepMs + 300))
  said.push(await send({}))
  return said
}

export default {
  async fetch(request, env) {
    const { searchParams } = new URL(request.url)
    if (searchParams.has('expire')) return Response.json(await writeDirectly(env, 200))
    if (searchParams.has('writes'))
      return Response.json({ count: writes.length, names: new Set(writes).size, errors })
    const gate = createGateFor(searchParams.get('gate'), env)
    const code = searchParams.get('code')
    if (searchParams.has('forget')) return Response.json(String(await gate.forget(code)))
    const { outcome, source } = await gate.check(code)
    return Response.json([outcome, source])
  },
}
