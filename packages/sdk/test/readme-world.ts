import { createFake } from '../src/testing/index.ts'

// Loaded before a snippet of the README runs: the address that it names is answered by the fake.

const fake = createFake()
fake.sell(101, { purchase_code: 'AAAA-1111-BBBB-2222' })
process.env.SALEPROOF_API_KEY = fake.apiKey

const { fetch } = globalThis
globalThis.fetch = (input, init) =>
  String(input).startsWith('https://market.example.com/')
    ? fake.fetch(String(input), init ?? {})
    : fetch(input, init)
