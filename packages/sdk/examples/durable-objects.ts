// A Cloudflare Worker whose isolates see each result at once. In wrangler.jsonc:
//   "durable_objects": { "bindings": [{ "name": "PURCHASES", "class_name": "SaleproofObject" }] },
//   "migrations": [{ "tag": "v1", "new_sqlite_classes": ["SaleproofObject"] }]
import { createClient } from '@saleproof/sdk'
import { createDurableObjectsStore, type DurableObjects } from '@saleproof/sdk/durable-objects'
import { createGate } from '@saleproof/sdk/gate'
import { createGuard, type Guard } from '@saleproof/sdk/guard'

export { SaleproofObject } from '@saleproof/sdk/durable-objects'

interface Environment {
  SALEPROOF_URL: string
  SALEPROOF_API_KEY: string
  SALEPROOF_PEPPER: string
  PURCHASES: DurableObjects
}

// One for each isolate.
let guard: Guard | undefined

function createGuardOnce(env: Environment): Guard {
  const gate = createGate({
    client: createClient({ baseUrl: env.SALEPROOF_URL, apiKey: env.SALEPROOF_API_KEY }),
    onUnknown: { allowCachedMs: 86_400_000 },
    store: createDurableObjectsStore(env.PURCHASES, { pepper: env.SALEPROOF_PEPPER }),
  })
  return createGuard({ gate, itemId: 101 })
}

export default {
  async fetch(
    request: Request,
    env: Environment,
    context: { waitUntil(work: Promise<unknown>): void },
  ): Promise<Response> {
    guard ??= createGuardOnce(env)
    const decision = await guard(request, context)
    return decision.allowed ? new Response('the product') : decision.response()
  },
}
