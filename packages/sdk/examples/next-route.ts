// app/download/route.ts
import { createClient } from '@saleproof/sdk'
import { createGate } from '@saleproof/sdk/gate'
import { createGuard, type Guard } from '@saleproof/sdk/guard'

// Made by the first request: `next build` has no variables, and up to Next.js 14 it runs a GET.
let guard: Guard | undefined

function createGuardOnce(): Guard {
  const { SALEPROOF_URL = '', SALEPROOF_API_KEY } = process.env
  const client = createClient({ baseUrl: SALEPROOF_URL, apiKey: SALEPROOF_API_KEY })
  return createGuard({ gate: createGate({ client, onUnknown: 'deny' }), itemId: 101 })
}

export async function POST(request: Request): Promise<Response> {
  guard ??= createGuardOnce()
  const decision = await guard(request)
  return decision.allowed ? new Response('the product') : decision.response()
}
