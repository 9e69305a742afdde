import { createMockApi } from '../src/testing/index.ts'

// Loaded before a snippet of the README runs: the address that it names is answered by the mock API.

const mockApi = createMockApi()
mockApi.sell(101, { purchase_code: 'AAAA-1111-BBBB-2222' })
process.env.SALEPROOF_API_KEY = mockApi.apiKey

const { fetch } = globalThis
globalThis.fetch = (input, init) =>
  String(input).startsWith('https://market.example.com/')
    ? mockApi.fetch(String(input), init ?? {})
    : fetch(input, init)
