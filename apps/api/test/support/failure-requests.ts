import { truncateSync } from 'node:fs'
import { type ErrorCode, operations } from '@saleproof/schema'
import { expect } from 'vitest'
import { broken, sql, stall } from './broken-service.ts'
import type { Answer } from './client.ts'
import { fileOf, onPostgres } from './database.ts'
import type { TestService } from './harness.ts'
import {
  boundKey,
  codes,
  emptyKey,
  expiredKey,
  otherKey,
  publishableKey,
  revokedKey,
  secretKey,
} from './records.ts'

/** A request that must fail, with what the contract says of its answer. */
export interface FailureRequest {
  name: string
  ask: (service: TestService) => Promise<Answer>
  status: number
  /** In English and Portuguese. */
  msg: readonly [en: string, pt: string]
  /** Headers that other failures do not have. */
  headers?: Readonly<Record<string, unknown>>
}

const general = ['Invalid request', 'Invalid request'] as const
const noItems = ['No items found', 'Nenhum item encontrado'] as const
const noItem = ['Item Not Found', 'Item Not Found'] as const
const noPurchase = ['Invalid purchase code', 'Código de compra inválido'] as const
const notAllowed = ['Method not allowed', 'Método não permitido'] as const
const { getAccount, listItems, getItem, validatePurchase } = operations

const get =
  (path: string, key = secretKey): FailureRequest['ask'] =>
  (service) =>
    service.request({ path, headers: key ? { 'x-api-key': key } : {} })

const post =
  (body: string, { type = 'application/json', key = secretKey } = {}): FailureRequest['ask'] =>
  (service) =>
    service.request({
      method: 'POST',
      path: validatePurchase.path,
      headers: { 'x-api-key': key, 'content-type': type },
      body,
    })

const code = (purchase_code: unknown, key = secretKey) => post(JSON.stringify({ purchase_code }), { key })
const raw =
  (bytes: string): FailureRequest['ask'] =>
  (service) =>
    service.raw(bytes)

/** The headers of failures that pages of other origins can read. */
const readable = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': expect.stringContaining('X-Error-Code'),
}

const ofKey = (key: string, { isSecret = false } = {}) =>
  [
    { name: 'account', ask: get(getAccount.path, key) },
    { name: 'list', ask: get(listItems.path, key) },
    { name: 'item', ask: get(`${getItem.path}?item_id=101`, key) },
    { name: 'validation', ask: code(codes.active, key), more: isSecret ? {} : readable },
  ].map(({ more = {}, ...request }) => ({
    ...request,
    status: 401,
    msg: general,
    headers: { 'www-authenticate': 'Bearer', ...more },
  }))

const method = (name: string, path: string, allow: string): FailureRequest => ({
  name: `${name} ${path}`,
  ask: (service) => service.request({ method: name, path }),
  status: 405,
  msg: notAllowed,
  headers: { allow },
})

const unavailable = (name: string, ask: FailureRequest['ask'], more: object = {}): FailureRequest => ({
  name,
  ask,
  status: 503,
  msg: ['Service unavailable', 'Serviço indisponível'],
  headers: { 'retry-after': '1', ...more },
})

/** A file that is shorter than the database in it says. */
const cutOff = unavailable(
  'the file cut off',
  broken(async (service) => {
    await sql(service, 'PRAGMA wal_checkpoint(TRUNCATE); UPDATE "Deployment" SET id = id')
    truncateSync(fileOf(service.opened), 4096)
    return code(codes.active)(service)
  }),
  readable,
)

const closing = 'Host: h\r\nConnection: close\r\n\r\n'

/** For each code of the error table the requests that produce it: one that is missing here does not compile. */
export const failureRequests: Readonly<Record<ErrorCode, readonly FailureRequest[]>> = {
  missing_parameter: [
    { name: 'item_id', ask: get(getItem.path), status: 400, msg: noItem },
    { name: 'purchase_code', ask: post('{}'), status: 400, msg: noPurchase },
  ],
  invalid_parameter: [
    { name: 'item_id', ask: get(`${getItem.path}?item_id=1.0`), status: 400, msg: noItem },
    { name: 'purchase_code', ask: code(5), status: 400, msg: noPurchase },
    { name: 'shape of a list', ask: get(`${listItems.path}?shape=x`), status: 400, msg: general },
    { name: 'shape of an item', ask: get(`${getItem.path}?item_id=101&shape=x`), status: 400, msg: general },
    { name: 'shape of a purchase', ask: post('{"purchase_code":"x","shape":1}'), status: 400, msg: general },
    { name: 'api_key', ask: get(`${listItems.path}?api_key=a%00`, ''), status: 400, msg: general },
  ],
  conflicting_api_keys: [
    { name: 'list', ask: get(`${listItems.path}?api_key=${otherKey}`), status: 400, msg: general },
    { name: 'validation', ask: post(`{"api_key":"${otherKey}"}`), status: 400, msg: general },
  ],
  malformed_body: [{ name: 'half an object', ask: post('{'), status: 400, msg: general }],
  missing_api_key: ofKey(''),
  invalid_api_key: ofKey('sp_no_such_key_at_all'),
  expired_api_key: ofKey(expiredKey, { isSecret: true }),
  revoked_api_key: ofKey(revokedKey, { isSecret: true }),
  key_not_allowed: [getAccount.path, listItems.path, getItem.path].map((path) => ({
    name: path,
    ask: get(path, publishableKey),
    status: 403,
    msg: general,
  })),
  no_items: [{ name: 'list', ask: get(listItems.path, emptyKey), status: 404, msg: noItems }],
  item_not_found: [{ name: 'item', ask: get(`${getItem.path}?item_id=5`), status: 404, msg: noItem }],
  purchase_not_found: [
    { name: 'unknown', ask: code('ZZZZ-0000'), status: 404, msg: noPurchase },
    {
      name: 'of an item that the key is not bound to',
      ask: code(codes.video, boundKey),
      status: 404,
      msg: noPurchase,
      headers: readable,
    },
  ],
  purchase_not_active: [codes.refunded, codes.revoked].map((each) => ({
    name: each,
    ask: code(each),
    status: 404,
    msg: noPurchase,
  })),
  body_too_large: [{ name: '16 KiB and one byte', ask: post(' '.repeat(16385)), status: 413, msg: general }],
  unsupported_media_type: [
    { name: 'text', ask: post('x', { type: 'text/plain' }), status: 415, msg: general },
  ],
  route_not_found: ['/', '/api', '/metrics', '/admin/import', `${listItems.path}/`].map((path) => ({
    name: path,
    ask: get(path),
    status: 404,
    msg: ['Not found', 'Não encontrado'],
  })),
  method_not_allowed: [
    ...['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE'].map((name) =>
      method(name, listItems.path, 'GET, HEAD'),
    ),
    method('GET', validatePurchase.path, 'POST'),
    method('OPTIONS', validatePurchase.path, 'POST'),
    method('POST', '/healthz', 'GET, HEAD'),
    { ...method('', 'CONNECT', 'GET, HEAD, POST'), ask: raw(`CONNECT h:1 HTTP/1.1\r\n${closing}`) },
  ],
  malformed_request: [
    { name: 'no HTTP', ask: raw('hello\r\n\r\n'), status: 400, msg: general },
    { name: 'no Host', ask: raw('GET / HTTP/1.1\r\nConnection: close\r\n\r\n'), status: 400, msg: general },
  ],
  request_timeout: [
    { name: 'headers that stop', ask: stall('GET / HTTP/1.1\r\nHost:'), status: 408, msg: general },
    {
      name: 'a body that stops',
      ask: stall(
        `POST ${validatePurchase.path} HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
      ),
      status: 408,
      msg: general,
      headers: readable,
    },
  ],
  request_too_large: [
    {
      name: 'headers',
      ask: raw(`GET / HTTP/1.1\r\nX: ${'x'.repeat(17000)}\r\n${closing}`),
      status: 431,
      msg: general,
    },
    { name: 'URL', ask: raw(`GET /${'x'.repeat(9000)} HTTP/1.1\r\n${closing}`), status: 414, msg: general },
  ],
  expectation_failed: [
    { name: 'Expect', ask: raw(`GET / HTTP/1.1\r\nExpect: x\r\n${closing}`), status: 417, msg: general },
  ],
  rate_limited: [
    {
      name: 'one more than the limit',
      ask: broken(
        async (service) => {
          const first = await get(listItems.path)(service)
          if (first.status !== 200) throw new Error('the first is within the limit')
          return get(listItems.path)(service)
        },
        { SALEPROOF_RATE_LIMIT: '1/60' },
      ),
      status: 429,
      msg: ['Too many requests', 'Muitas requisições'],
      headers: {
        'retry-after': expect.stringMatching(/^[1-9]\d?$/),
        ratelimit: expect.any(String),
        'ratelimit-policy': expect.any(String),
      },
    },
  ],
  internal_error: [
    {
      name: 'a stored row that breaks an invariant',
      ask: broken(async (service) => {
        await sql(service, `UPDATE "Account" SET currency = 'XAU'`)
        return get(getAccount.path)(service)
      }),
      status: 500,
      msg: ['Internal server error', 'Erro interno do servidor'],
    },
  ],
  unavailable: [
    ...[get(listItems.path), get(`${getItem.path}?item_id=101`), code(codes.active), code('ZZZZ')].map(
      (ask, index) =>
        unavailable(
          `the tables gone, ${index}`,
          broken(async (service) => {
            await sql(service, 'ALTER TABLE "Item" RENAME TO a; ALTER TABLE "Purchase" RENAME TO b')
            return ask(service)
          }),
          // PostgreSQL reads key and purchase with one statement: that the key is secret is not known.
          onPostgres && index > 1 ? readable : {},
        ),
    ),
    unavailable(
      'the keys gone: unknown, not invalid',
      broken(async (service) => {
        await sql(service, 'ALTER TABLE "ApiKey" RENAME TO a')
        return get(getAccount.path)(service)
      }),
    ),
    ...(onPostgres ? [] : [cutOff]),
  ],
}
