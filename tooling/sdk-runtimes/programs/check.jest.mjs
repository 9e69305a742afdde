import { createClient } from '@saleproof/sdk'
import { createMockApi } from '@saleproof/sdk/testing'

test('checks a code', async () => {
  const mockApi = createMockApi()
  const client = createClient({ baseUrl: mockApi.baseUrl, apiKey: mockApi.apiKey, fetch: mockApi.fetch })
  expect(await client.checkPurchase(mockApi.sell(101))).toMatchObject({ outcome: 'valid' })
  expect(await client.checkPurchase('UNKNOWN')).toMatchObject({ outcome: 'invalid' })
})
