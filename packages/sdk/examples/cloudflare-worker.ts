import { createClient } from '@saleproof/sdk'
import { createGate } from '@saleproof/sdk/gate'
import { createGuard, type Guard } from '@saleproof/sdk/guard'

interface Environment {
  SALEPROOF_URL: string
  SALEPROOF_API_KEY: string
}

// Made once for each isolate: the gate remembers in its memory.
let guard: Guard | undefined

const guardOf = (env: Environment): Guard => {
  const client = createClient({ baseUrl: env.SALEPROOF_URL, apiKey: env.SALEPROOF_API_KEY })
  const gate = createGate({ client, onUnknown: { allowCachedMs: 72 * 3_600_000 } })
  return createGuard({ gate, itemId: 101 })
}

export default {
  async fetch(
    request: Request,
    env: Environment,
    context: { waitUntil(work: Promise<unknown>): void },
  ): Promise<Response> {
    guard ??= guardOf(env)
    const decision = await guard(request, context)
    return decision.allowed ? new Response('the product') : decision.response()
  },
}
