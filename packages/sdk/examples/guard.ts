import { createClient } from '@saleproof/sdk'
import { createGate } from '@saleproof/sdk/gate'
import { createGuard } from '@saleproof/sdk/guard'

/** The guard that all examples share, from the variables SALEPROOF_URL and SALEPROOF_API_KEY. */
export function guardFromEnvironment(env: NodeJS.ProcessEnv) {
  const client = createClient({ baseUrl: env.SALEPROOF_URL ?? '', apiKey: env.SALEPROOF_API_KEY })
  return createGuard({ gate: createGate({ client }), itemId: 101, onUnknown: 'allow-cached' })
}
