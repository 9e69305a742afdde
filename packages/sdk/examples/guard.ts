import { createClient } from '@saleproof/sdk'
import { createGate } from '@saleproof/sdk/gate'
import { createGuard } from '@saleproof/sdk/guard'

/** The gate that all examples share, from the variables SALEPROOF_URL and SALEPROOF_API_KEY. */
export function gateFromEnvironment(env: NodeJS.ProcessEnv) {
  const client = createClient({ baseUrl: env.SALEPROOF_URL ?? '', apiKey: env.SALEPROOF_API_KEY })
  return createGate({ client, onUnknown: { allowCachedMs: 72 * 3_600_000 } })
}

/** A guard for web requests. */
export const guardFromEnvironment = (env: NodeJS.ProcessEnv) =>
  createGuard({ gate: gateFromEnvironment(env), itemId: 101 })
