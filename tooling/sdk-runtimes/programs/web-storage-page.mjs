import { createGate } from '@saleproof/sdk/gate'
import { createPublishableClient } from '@saleproof/sdk/publishable'
import { createWebStorageStore } from '@saleproof/sdk/web-storage'

const store = createWebStorageStore(localStorage, { pepper: 'a pepper of at least 32 characters' })
const client = createPublishableClient({
  baseUrl: location.origin,
  apiKey: 'spp_runtime_key_0123456789',
  maxRetries: 0,
})

/** What a new gate says about a code, so long after now. No name of the SDK: the bundle runs as a classic script. */
globalThis.checkInPage = async (code, laterMs = 0) => {
  const now = () => Date.now() + laterMs
  const gate = createGate({ client, store, now, onUnknown: { allowCachedMs: 86_400_000 } })
  const { outcome, source } = await gate.check(code)
  return `${outcome} ${source}`
}
