import { gzipSync } from 'node:zlib'
import { operations } from '@saleproof/schema'
import type { Sent } from '../../support/client.ts'
import type { Canaries } from './shop.ts'

/** A path of each kind of route: those of the operations, of operators, of pages, of the console, and none. */
export const paths = [
  ...Object.values(operations).map(({ path }) => path),
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/docs/errors',
  '/admin/import',
  '/console',
  ...['session', 'account', 'password', 'workspaces', 'workspaces/studio', 'workspaces/studio/keys'].map(
    (path) => `/console/api/${path}`,
  ),
  ...['items', 'items/1', 'check', 'overview', 'purchases/search', 'purchases/detail', 'purchases/state'].map(
    (path) => `/console/api/workspaces/studio/${path}`,
  ),
  '/nowhere',
]

/** Header fields that something between a client and a log may repeat. */
const fields = [
  'user-agent',
  'referer',
  'cookie',
  'origin',
  'from',
  'host',
  'x-forwarded-host',
  'x-forwarded-for',
  'x-forwarded-proto',
  'forwarded',
  'via',
  'traceparent',
  'tracestate',
  'baggage',
  'accept-language',
  'accept',
  'accept-encoding',
  'if-none-match',
  'content-type',
  'content-encoding',
  'x-csrf-token',
  'range',
  'x-http-method-override',
  'x-original-url',
  'x-correlation-id',
  'expect',
  'upgrade',
  'te',
] as const

const visible = (value: string) => value.replaceAll(' ', '-')

const ofPath = (path: string, value: string): Sent[] => {
  const encoded = encodeURIComponent(value)
  return [
    { path: `${path}?${encoded}` },
    { path: `${path}?x=${encoded}&item_id=${encoded}&shape=${encoded}` },
    { path: `${path}/${encoded}` },
    { path: `${path}%2f${encoded}`, method: 'DELETE' },
    { path: `${path}?api_key=${encoded}&purchase_code=${encoded}`, method: 'POST' },
    { path, headers: { authorization: `Bearer ${visible(value)}` } },
    { path, headers: { authorization: `Basic ${Buffer.from(`u:${value}`).toString('base64')}` } },
    { path, headers: { 'x-api-key': visible(value), authorization: visible(value) } },
  ]
}

const ofFields = (path: string, value: string, headers: Sent['headers'] = {}): Sent[] => [
  ...fields.map((name) => ({ path, headers: { ...headers, [name]: visible(value) } })),
  { path, headers: { ...headers, [visible(value).replace(/[^0-9A-Za-z-]/g, '-')]: 'x' } },
]

function bodies(value: string): { type: string; body: string | Uint8Array; encoding?: string }[] {
  const json = JSON.stringify({
    api_key: value,
    purchase_code: value,
    login: value,
    password: value,
    email: value,
    shape: value,
    current_password: value,
    new_password: value,
    [value]: value,
  })
  const form = new URLSearchParams({ api_key: value, purchase_code: value, [value]: value }).toString()
  const part = (name: string, file: string, content: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\n\r\n${content}\r\n`
  const multipart = (text: string) => ({ type: 'multipart/form-data; boundary=b', body: text })
  return [
    { type: 'application/json', body: json },
    { type: 'application/json', body: `${json}${value}` },
    { type: 'application/json', body: json.slice(0, -5) },
    { type: 'application/json', body: `{"purchase_code":"\\u12${value}"}` },
    { type: 'application/json', body: JSON.stringify([value]) },
    { type: 'application/json', body: `"\n    at ${value} (${value}.js:1:1)` },
    { type: 'application/json', body: gzipSync(json), encoding: 'gzip' },
    { type: 'application/json', body: Buffer.from(json), encoding: 'gzip' },
    { type: 'application/json', body: `{"purchase_code":"${value.repeat(1000)}"}` },
    { type: 'application/x-www-form-urlencoded', body: form },
    { type: 'application/x-www-form-urlencoded', body: `%zz${value}&${form}` },
    { type: 'application/x-ndjson', body: `${json}\n${value}` },
    { type: visible(value), body: value },
    multipart(`${part(value, value, value)}--b--\r\n`),
    multipart(part(value, value, value)),
    multipart(`--b\r\n${value}: ${value}\r\n\r\n${value}\r\n--b--\r\n`),
    { type: `multipart/form-data; boundary=${visible(value)}`, body: value },
    { type: `application/json; charset=${visible(value)}`, body: json },
  ]
}

const ofBodies = (path: string, value: string, headers: Sent['headers'] = {}): Sent[] =>
  bodies(value).map(({ type, body, encoding }) => ({
    method: 'POST',
    path,
    body,
    headers: { ...headers, 'content-type': type, ...(encoding && { 'content-encoding': encoding }) },
  }))

/** Every canary in every place of a request, on every route, with a key that is known and without. */
export function requestsWith({ sent, keys, tokens }: Canaries): Sent[] {
  const known = { 'x-api-key': keys.secret }
  const admin = { authorization: `Bearer ${tokens.admin}` }
  const { validatePurchase, getItem } = operations
  return sent.flatMap((value) => [
    ...paths.flatMap((path) => ofPath(path, value)),
    ...ofFields(getItem.path, value),
    ...ofFields(`${getItem.path}?item_id=1`, value, known),
    ...ofFields('/console', value),
    ...ofBodies(validatePurchase.path, value),
    ...ofBodies(validatePurchase.path, value, known),
    {
      method: 'POST',
      path: validatePurchase.path,
      body: JSON.stringify({ purchase_code: value }),
      headers: { ...known, 'content-type': 'application/json' },
    },
    ...ofBodies('/admin/import', value, admin),
    ...ofBodies('/console/api/session', value),
    ...ofBodies('/console/api/workspaces/studio/check', value),
  ])
}

/** What no client library sends. */
export function rawRequestsWith({ sent, keys }: Canaries): string[] {
  const { path } = operations.validatePurchase
  return sent.flatMap((value) => {
    const text = visible(value)
    return [
      `GET /${text} ${text}\r\n\r\n`,
      `${text} / HTTP/1.1\r\nHost: h\r\n\r\n`,
      `GET / HTTP/9.${text}\r\nHost: ${text}\r\n\r\n`,
      `GET / HTTP/1.1\r\nX-Api-Key: ${text}\0${text}\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: h\r\n${text}\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: h\r\n ${text}: ${text}\r\n\r\n`,
      `GET http://${text}:${text}@[/ HTTP/1.1\r\nHost: ${text}\r\nConnection: close\r\n\r\n`,
      `GET /?${text}${'x'.repeat(40_000)} HTTP/1.1\r\nConnection: close\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nX-${text}: ${'x'.repeat(40_000)}\r\n\r\n`,
      `POST ${path} HTTP/1.1\r\nHost: h\r\nX-Api-Key: ${keys.secret}\r\nTransfer-Encoding: chunked\r\n\r\n${text}\r\n`,
      `POST ${path} HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: ${text}\r\nContent-Length: 3\r\n\r\n${text}`,
      `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: ${text}\r\n\r\n${text}`,
      `CONNECT ${text}:1 HTTP/1.1\r\nHost: ${text}\r\n\r\n`,
    ]
  })
}
