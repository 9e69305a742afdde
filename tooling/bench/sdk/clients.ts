/** A client library and the smallest program that uses it. */
export interface Client {
  name: string
  imports: string
  /** An expression of the imports. */
  client: string
  /** An expression of `client` that returns a promise. */
  call: string
  /** What the stub of `fetch` responds with; without one, the call is not timed. */
  response?: object
}

const saleproof = {
  imports: "import { createClient } from '@saleproof/sdk'",
  client: "createClient({ baseUrl: 'https://x.test', apiKey: 'k' })",
}
const gate = "import { createGate } from '@saleproof/sdk/gate'"
const check = "createGate({ client }).check('AAAA-1111-BBBB-2222')"

const media = { preview_image: 'https://x.test/p.png' }
const item = { id: 101, name: 'Icon pack', url: 'https://x.test/i', media }
const purchase = {
  purchase_code: 'AAAA-1111-BBBB-2222',
  license_type: 'Regular',
  price: 19.99,
  currency: 'USD',
  item,
  downloaded: false,
  date: '2024-04-27T12:00:00Z',
}
export const purchaseResponse = { status: 'success', data: { purchase } }

export const clients: readonly Client[] = [
  {
    ...saleproof,
    name: '@saleproof/sdk',
    call: "client.checkPurchase('AAAA-1111-BBBB-2222')",
    response: purchaseResponse,
  },
  {
    ...saleproof,
    name: '@saleproof/sdk, four calls + gate',
    imports: `${saleproof.imports}\n${gate}`,
    call: check,
  },
  {
    name: '@saleproof/sdk, the same + full check',
    imports: `${saleproof.imports}\n${gate}\nimport { strictValidator } from '@saleproof/sdk/schemas'`,
    client: "createClient({ baseUrl: 'https://x.test', apiKey: 'k', validate: strictValidator })",
    call: check,
  },
  {
    name: '@lemonsqueezy/lemonsqueezy.js',
    imports: "import { validateLicense } from '@lemonsqueezy/lemonsqueezy.js'",
    client: 'undefined',
    call: "validateLicense('AAAA-1111-BBBB-2222')",
    response: { valid: true, error: null, license_key: { id: 1 }, instance: null, meta: { store_id: 1 } },
  },
  {
    name: '@polar-sh/sdk (core)',
    imports: `import { createPolarCore } from '@polar-sh/sdk/2026-10'
import { validateLicenseKeys } from '@polar-sh/sdk/2026-10/services/license_keys'`,
    client: "createPolarCore({ accessToken: 'k' })",
    call: "validateLicenseKeys(client)({ key: 'AAAA-1111-BBBB-2222', organization_id: 'o' })",
    response: { id: 'x', status: 'granted' },
  },
  {
    name: '@polar-sh/sdk',
    imports: "import { createPolar } from '@polar-sh/sdk/2026-10'",
    client: "createPolar({ accessToken: 'k' })",
    call: "client.licenseKeys.validate({ key: 'AAAA-1111-BBBB-2222', organization_id: 'o' })",
    response: { id: 'x', status: 'granted' },
  },
  {
    name: 'ky',
    imports: "import ky from 'ky'",
    client: "ky.create({ baseUrl: 'https://x.test/', headers: { authorization: 'Bearer k' } })",
    call: "client.post('https://x.test/validate', { json: { key: 'AAAA-1111-BBBB-2222' } }).json()",
    response: { valid: true },
  },
  {
    name: '@unkey/api',
    imports: "import { Unkey } from '@unkey/api'",
    client: "new Unkey({ rootKey: 'k' })",
    call: "client.keys.verifyKey({ key: 'AAAA-1111-BBBB-2222' })",
    response: { meta: { requestId: 'r' }, data: { valid: true, code: 'VALID' } },
  },
  {
    name: 'stripe',
    imports: "import Stripe from 'stripe'",
    client: "new Stripe('sk_test_x', { httpClient: Stripe.createFetchHttpClient() })",
    call: "client.customers.retrieve('cus_1')",
    response: { id: 'cus_1', object: 'customer' },
  },
  {
    name: 'openai',
    imports: "import OpenAI from 'openai'",
    client: "new OpenAI({ apiKey: 'k' })",
    call: "client.models.retrieve('m')",
    response: { id: 'm', object: 'model', created: 1, owned_by: 'x' },
  },
]
