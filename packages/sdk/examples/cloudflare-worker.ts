import { createClient } from '@saleproof/sdk'
import { createGate } from '@saleproof/sdk/gate'
import { createGuard, type Guard } from '@saleproof/sdk/guard'

interface Environment {
  SALEPROOF_URL: string
  SALEPROOF_API_KEY: string
}

// One for each isolate: the gate keeps results in its memory.
let guard: Guard | undefined

function createGuardOnce(env: Environment): Guard {
  const client = createClient({ baseUrl: env.SALEPROOF_URL, apiKey: env.SALEPROOF_API_KEY })
  return createGuard({ gate: createGate({ client, onUnknown: { allowCachedMs: 86_400_000 } }), itemId: 101 })
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
