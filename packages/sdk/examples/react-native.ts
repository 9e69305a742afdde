// A React Native program.
import AsyncStorage from '@react-native-async-storage/async-storage'
import { createGate } from '@saleproof/sdk/gate'
import { explain } from '@saleproof/sdk/messages'
import { createPublishableClient } from '@saleproof/sdk/publishable'
import { createWebStorageStore } from '@saleproof/sdk/web-storage'
import { install } from 'react-native-quick-crypto'

// React Native has no `crypto.subtle` of its own. Without it the gate keeps its results in memory.
install()

const gate = createGate({
  client: createPublishableClient({
    baseUrl: 'https://market.example.com',
    apiKey: 'YOUR_PUBLISHABLE_KEY',
  }),
  onUnknown: { allowCachedMs: 30 * 86_400_000 },
  store: createWebStorageStore(AsyncStorage, { pepper: 'YOUR_PEPPER: 32 random characters or more' }),
})

export async function unlock(code: string): Promise<string> {
  const check = await gate.check(code, { itemId: 101 })
  return check.outcome === 'valid' ? 'Thank you!' : explain(check)
}
