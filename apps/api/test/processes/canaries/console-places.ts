import {
  type ConsoleEndpointName,
  type ConsoleRequests,
  consoleEndpoints,
  type SalesPreview,
} from '@saleproof/schema/console'
import { saleFields } from '@saleproof/schema/sales-file'
import type { Sent } from '../../support/client.ts'
import { consolePath } from '../../support/console-client.ts'
import type { Canaries } from './shop.ts'

const salesColumns = Object.fromEntries(
  saleFields.map((field, index) => [field, index]),
) as SalesPreview['columns']

/** What each endpoint takes, with all of its fields. */
const samples: { [Name in ConsoleEndpointName]: Required<ConsoleRequests[Name]> } = {
  getSession: {},
  signIn: { login: 'ada', password: 'not this one' },
  signOut: {},
  listSessions: {},
  endSession: {},
  endOtherSessions: {},
  changePassword: { current_password: 'not this one', new_password: 'another one' },
  checkResetLink: { token: 'not this one' },
  resetPassword: { token: 'not this one', new_password: 'another one' },
  updateAccount: {
    email: 'other@example.com',
    current_password: 'not this one',
    name: { firstname: 'A', lastname: 'L', full_name: 'A L' },
    profile: {
      heading: 'h',
      description: 'd',
      contact: { email: 'c@example.com' },
      social_links: { x: 'https://example.com/x' },
      media: { avatar: '', cover: '' },
    },
  },
  createWorkspace: { slug: 'studio', name: 'S' },
  updateWorkspace: { name: 'S', shape: 'base', locale: 'en', pass_hours: 24 },
  listKeys: {},
  createKey: {
    name: 'k',
    kind: 'publishable',
    expires_at: null,
    items: [1],
    request_id: 'a form that was sent',
  },
  showKey: { password: 'not this one' },
  rotateKey: { ends_at: '2999-01-01T00:00:00Z', request_id: 'a form that was sent' },
  revokeKey: {},
  listSigningKeys: {},
  rotateSigningKey: { newest: 'newest' },
  retireSigningKey: {},
  listItems: {
    search: 's',
    category: 'c',
    kind: 'image',
    state: 'listed',
    sort: 'id',
    cursor: 'x',
    limit: '10',
  },
  getItem: {},
  withdrawItem: {},
  restoreItem: {},
  editItem: { changes: { name: 'n' }, before: { name: 'm' }, locale: 'en' },
  searchPurchases: {
    search: 'c',
    item_id: 1,
    license_type: 'Regular',
    state: 'active',
    cursor: 'x',
    limit: 10,
    from: '2024-01-01T00:00:00Z',
    to: '2030-01-01T00:00:00Z',
  },
  sumPurchases: {
    search: 'c',
    item_id: 1,
    license_type: 'Regular',
    state: 'active',
    from: '2024-01-01T00:00:00Z',
    to: '2030-01-01T00:00:00Z',
  },
  getPurchase: { purchase_code: 'c' },
  setPurchaseState: { purchase_code: 'c', state: 'active' },
  editPurchase: { purchase_code: 'c', changes: { note: 'n' }, before: { note: null }, locale: 'en' },
  eraseCustomer: { email: 'other@example.com' },
  removePurchase: { purchase_code: 'c' },
  exportPurchases: {
    format: 'csv',
    item_id: 1,
    license_type: 'Regular',
    state: 'active',
    from: '2024-01-01T00:00:00Z',
    to: '2030-01-01T00:00:00Z',
  },
  check: { purchase_code: 'c', key_id: 'k' },
  listActivity: { kind: 'keys', by: 'cli', cursor: 'x', limit: '10' },
  getOverview: { period: '24h', timezone: 'UTC' },
  listFailedCodes: { reason: 'purchase_not_found' },
  getSales: { period: '24h', timezone: 'UTC' },
  importRecords: { records: [], dry_run: true, only_new: true, locale: 'en' },
  previewSales: { file: new Blob([]), choices: { profile: 'none', columns: salesColumns } },
  importSales: {
    file: new Blob([]),
    choices: {
      file: 'sales.csv',
      profile: 'none',
      columns: salesColumns,
      values: { item: 1, license_type: 'Regular', price: '1', currency: 'USD' },
      items: {},
      new_items: {},
      dates: 'dmy',
      time_zone: 'UTC',
      codes: 'make',
      skip_invalid: true,
      dry_run: false,
      locale: 'en',
    },
  },
}

const without = (sample: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(sample).filter(([name]) => !names.includes(name)))

/** A request of an endpoint with a value in each place where a value or a name can stand. */
function requestsOf(sample: object, value: string): object[] {
  const names = Object.keys(sample)
  return [
    { ...sample, [value]: value },
    { [value]: { [value]: value } },
    ...names.map((name) => ({ ...sample, [name]: value })),
    ...names.map((name) => ({ ...sample, [name]: { [value]: value } })),
    // Alone, where another field decides before it.
    ...names.map((name) => ({
      ...without(sample, 'cursor', 'key_id', 'email', 'purchase_code'),
      [name]: value,
    })),
  ]
}

const linesWith = (value: string): string[] => [
  value,
  ...['item', 'purchase', value].map((type) =>
    JSON.stringify({
      type,
      [value]: value,
      id: value,
      item: value,
      purchase_code: value,
      name: value,
      price: value,
    }),
  ),
]

function profilesWith(value: string): object[] {
  const { name, profile } = samples.updateAccount
  return [
    { profile: { ...profile, social_links: { [value]: value } } },
    { profile: { ...profile, social_links: { [value]: `https://example.com/${value}` } } },
    { profile: { ...profile, contact: { email: value } } },
    { profile: { ...profile, media: { avatar: value, [value]: value } } },
    { name: { ...name, full_name: value } },
    { name: { ...name, [value]: value } },
  ]
}

/** Bodies that are no request. */
const mangled = (value: string): [type: string, body: string][] => [
  ['application/json', value],
  ['application/json', JSON.stringify([value])],
  ['application/json', `{"${value}":"${value}"`],
  ['text/plain', value],
  [value.replaceAll(' ', '-'), JSON.stringify({ [value]: value })],
]

interface SignedIn {
  cookie: string
  token: string
}

/** Every canary in every place of every endpoint of the console, from an owner who is signed in. */
export function consoleRequestsWith(
  { keys, codes, addresses, passwords }: Canaries,
  { cookie, token }: SignedIn,
): Sent[] {
  const endpoints = Object.keys(consoleEndpoints) as ConsoleEndpointName[]
  const own = { cookie, 'x-csrf-token': token }
  const json = { ...own, 'content-type': 'application/json' }

  function ofEndpoint(name: ConsoleEndpointName, value: string): Sent[] {
    const { method } = consoleEndpoints[name]
    const at = (slug: string, id: string) => consolePath(name, { slug, id } as never)
    const path = at('studio', '1')
    const visible = value.replaceAll(' ', '-')
    const headers = { ...own, referer: visible, 'user-agent': visible, via: visible }
    const inPath = [at(value, '1'), at('studio', value)].map((each) => ({
      method,
      path: each,
      headers: json,
    }))
    const post = (type: string, body: string, more: Sent['headers'] = {}): Sent => ({
      method,
      path,
      body,
      // Node leaves the length of a DELETE body to the caller.
      headers: { ...own, 'content-type': type, 'content-length': `${Buffer.byteLength(body)}`, ...more },
    })
    const sample: object = samples[name]
    if ('choices' in sample) {
      const csv = [saleFields, saleFields.map(() => value)].map((cells) => cells.join(',')).join('\n')
      const bodies = [sample.choices, ...requestsOf(Object(sample.choices), value)].map(
        (choices) => `${JSON.stringify(choices)}\n${csv}`,
      )
      return [...bodies, value, `${value}\n${value}`].map((each) =>
        post('application/octet-stream', each, headers),
      )
    }
    const lines = name === 'importRecords' ? linesWith(value) : []
    if (method === 'GET' || name === 'importRecords') {
      const textsOf = (request: object) =>
        Object.fromEntries(Object.entries(request).map(([field, text]) => [field, String(text)]))
      const queries = requestsOf(without(samples[name], 'records'), value).map(
        (each) => `${new URLSearchParams(textsOf(each))}`,
      )
      return [
        ...[...queries, `${visible}&${visible}`].map((query) => ({
          method,
          path: `${path}?${query}`,
          headers,
        })),
        ...inPath,
        ...lines.map((line) => post('application/x-ndjson', line)),
      ]
    }
    const requests = [
      ...requestsOf(samples[name], value),
      ...(name === 'updateAccount' ? profilesWith(value) : []),
    ]
    return [
      // The session goes on: the token of another one is refused.
      ...(name === 'signOut' ? [] : [post('application/json', JSON.stringify(samples[name])), ...inPath]),
      ...requests.map((each) => post('application/json', JSON.stringify(each), headers)),
      ...mangled(value).map(([type, body]) => post(type, body)),
      post('application/json', '{}', { 'x-csrf-token': visible }),
      {
        ...post('application/json', '{}', { origin: visible }),
        path: `${path}?${encodeURIComponent(value)}`,
      },
    ]
  }

  const sent = [keys.secret, codes.active, addresses.own, passwords.wrong]
  return sent.flatMap((value) => endpoints.flatMap((name) => ofEndpoint(name, value)))
}
