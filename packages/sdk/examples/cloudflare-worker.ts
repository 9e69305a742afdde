// In wrangler.jsonc: "kv_namespaces": [{ "binding": "PURCHASES", "id": "…" }], and SALEPROOF_URL in "vars". The others are secrets.
import { createClient } from '@saleproof/sdk'
import { createGate } from '@saleproof/sdk/gate'
import { createGuard, type Guard } from '@saleproof/sdk/guard'
import { createWorkersKvStore, type KvNamespace } from '@saleproof/sdk/workers-kv'

interface Environment {
  SALEPROOF_URL: string
  SALEPROOF_API_KEY: string
  SALEPROOF_PEPPER: string
  PURCHASES: KvNamespace
}

// One for each isolate.
let guard: Guard | undefined

function createGuardOnce(env: Environment): Guard {
  const gate = createGate({
    client: createClient({ baseUrl: env.SALEPROOF_URL, apiKey: env.SALEPROOF_API_KEY }),
    onUnknown: { allowCachedMs: 86_400_000 },
    store: createWorkersKvStore(env.PURCHASES, { pepper: env.SALEPROOF_PEPPER }),
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
