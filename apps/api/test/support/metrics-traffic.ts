import { operations } from '@saleproof/schema'
import type { Sent } from './client.ts'
import { codes, expiredKey, publishableKey, secretKey } from './records.ts'

const { getAccount, listItems, getItem, validatePurchase } = operations

export const metricsToken = 'a-token-of-the-metrics'

export const get = (path: string, key = secretKey): Sent => ({ path, headers: { 'x-api-key': key } })

export function validate(purchase_code: string, headers: Record<string, string> = {}): Sent {
  const body = JSON.stringify({ purchase_code })
  const length = `${Buffer.byteLength(body)}`
  const own = { 'x-api-key': secretKey, 'content-type': 'application/json', 'content-length': length }
  return { method: 'POST', path: validatePurchase.path, body, headers: { ...own, ...headers } }
}

export const secret = 'QQQQ-a-code-that-nobody-has'
export const unknownKey = 'sp_key_of_nobody_at_all'

interface Part {
  times: number
  sent: Sent
  /** The labels under which it has to be counted. */
  labels: string
  /** Whether the fast path answers it, when it is on. */
  hot?: boolean
}

/** What is sent to have it counted. */
export const traffic: readonly Part[] = [
  { times: 5, sent: get(getAccount.path), labels: 'getAccount 200 none', hot: true },
  { times: 2, sent: get(`${getAccount.path}?api_key=%73x`), labels: 'getAccount 400 conflicting_api_keys' },
  { times: 3, sent: get(listItems.path), labels: 'listItems 200 none', hot: true },
  {
    times: 4,
    sent: get(`${getItem.path}?item_id=101&shape=extended`),
    labels: 'getItem 200 none',
    hot: true,
  },
  {
    times: 2,
    sent: get(`${getItem.path}?item_id=9007199254740991`),
    labels: 'getItem 200 none',
    hot: true,
  },
  { times: 3, sent: get(`${getItem.path}?item_id=5`), labels: 'getItem 404 item_not_found', hot: true },
  { times: 2, sent: get(getItem.path), labels: 'getItem 400 missing_parameter' },
  { times: 2, sent: get(getItem.path, publishableKey), labels: 'getItem 403 key_not_allowed' },
  { times: 2, sent: get(getAccount.path, expiredKey), labels: 'getAccount 401 expired_api_key', hot: true },
  { times: 2, sent: get(getAccount.path, unknownKey), labels: 'getAccount 401 invalid_api_key', hot: true },
  { times: 4, sent: validate(codes.active), labels: 'validatePurchase 200 none', hot: true },
  { times: 3, sent: validate(secret), labels: 'validatePurchase 404 purchase_not_found', hot: true },
  { times: 2, sent: validate(codes.refunded), labels: 'validatePurchase 404 purchase_not_active', hot: true },
  {
    times: 2,
    sent: validate('x', { 'content-type': 'text/plain' }),
    labels: 'validatePurchase 415 unsupported_media_type',
  },
  { times: 2, sent: { path: `/nowhere/${secret}` }, labels: 'other 404 route_not_found' },
  { times: 2, sent: { path: '/healthz' }, labels: 'health 200 none' },
  { times: 1, sent: { path: '/readyz' }, labels: 'health 200 none' },
  { times: 1, sent: { path: '/docs/errors' }, labels: 'docs 200 none' },
  { times: 1, sent: { path: '/openapi.json', method: 'POST' }, labels: 'docs 405 method_not_allowed' },
  { times: 2, sent: { path: '/metrics' }, labels: 'metrics 401 missing_api_key' },
]

/** Each request as often as it is to be sent. */
export const requests: readonly Sent[] = traffic.flatMap(({ times, sent }) =>
  Array.from({ length: times }, () => sent),
)

/** How often each combination of labels has to be counted once all was sent so many times. */
export function expectedCounts(rounds = 1): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { times, labels } of traffic) counts[labels] = (counts[labels] ?? 0) + times * rounds
  return counts
}

export interface Sample {
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}

/** The samples in the text format of Prometheus. */
export const samplesOf = (text: string): Sample[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]) => [label, text])
      return { name, labels: Object.fromEntries(pairs), value: Number(value) }
    })

/** The values of a metric, by the values of its labels; those that are 0 left out. */
export function valuesOf(text: string, metric: string): Record<string, number> {
  const found = samplesOf(text).filter(({ name, value }) => name === metric && value !== 0)
  return Object.fromEntries(found.map(({ labels, value }) => [Object.values(labels).join(' '), value]))
}
