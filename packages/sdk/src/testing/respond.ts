import { failureMessage } from '@saleproof/schema'
import {
  type ErrorCode,
  errors,
  fillBody,
  locales,
  type Operation,
  operationList,
  type ParameterName,
  type RecordName,
  type Shape,
  shapes,
} from '@saleproof/schema/constants'
import { presentAccount, presentItem, presentPurchase } from '@saleproof/schema/records'
import { readPurchaseCode } from '../purchase-code.ts'
import type { Limits } from './limits.ts'
import type { KeyRecord } from './records.ts'
import type { State } from './state.ts'

/** Why a request fails; thrown by whatever finds out. */
class Failure extends Error {
  readonly code: ErrorCode
  readonly parameter: ParameterName | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, parameter?: ParameterName, headers: Readonly<Record<string, string>> = {}) {
    super(code)
    this.code = code
    this.parameter = parameter
    this.headers = headers
  }
}

type Parameters = Map<string, Set<string>>

function parseJson(text: string): object {
  try {
    return Object(JSON.parse(text))
  } catch {
    throw new Failure('malformed_body')
  }
}

async function readParameters(url: URL, request: Request): Promise<Parameters> {
  const parameters: Parameters = new Map()
  const add = (name: string, value: unknown) => {
    parameters.set(name, (parameters.get(name) ?? new Set()).add(String(value).trim()))
  }
  for (const [name, value] of url.searchParams) add(name, value)
  const text = await request.text()
  if (!text) return parameters
  const type = request.headers.get('content-type')?.split(';')[0]
  if (type === 'application/x-www-form-urlencoded') {
    for (const [name, value] of new URLSearchParams(text)) add(name, value)
  } else if (type === 'application/json') {
    for (const [name, value] of Object.entries(parseJson(text))) add(name, value)
  } else throw new Failure('unsupported_media_type')
  return parameters
}

function readKey(request: Request, parameters: Parameters, keys: State['keys'], now: number): KeyRecord {
  const bearer = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  const header = request.headers.get('x-api-key')?.trim()
  const sent = new Set([bearer, header, ...(parameters.get('api_key') ?? [])])
  const [key, ...others] = [...sent].filter(Boolean)
  if (others.length > 0) throw new Failure('conflicting_api_keys')
  if (!key) throw new Failure('missing_api_key')
  const found = keys.get(key)
  if (!found) throw new Failure('invalid_api_key')
  if (found.revoked_at) throw new Failure('revoked_api_key')
  if (found.expires_at && Date.parse(found.expires_at) <= now) throw new Failure('expired_api_key')
  return found
}

/** The one value of a parameter, as `parse` reads it; what `parse` has no value for is invalid. */
function readOne<T>(parameters: Parameters, name: ParameterName, parse: (text: string) => T | undefined): T {
  const [text, ...others] = parameters.get(name) ?? []
  if (!text) throw new Failure('missing_parameter', name)
  const value = others.length > 0 ? undefined : parse(text)
  if (value === undefined) throw new Failure('invalid_parameter', name)
  return value
}

const parseItemId = (text: string) =>
  /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined

const parseShape = (text: string) => shapes.find((shape) => shape === text)

interface Call {
  state: State
  limits: Limits
  key: KeyRecord
  parameters: Parameters
  shape: Shape
}

/** How a record, or a list of records, of a body is found. */
const find: Record<RecordName, (call: Call, isList: boolean) => unknown> = {
  account: ({ state, key }) => presentAccount(state.account(state.workspace(key.workspace).owner)),

  item({ state, key, parameters, shape }, isList) {
    if (isList) {
      const items = state.itemsOf(key.workspace)
      if (items.length === 0) throw new Failure('no_items')
      return items.map((item) => presentItem(item, shape))
    }
    const item = state.item(readOne(parameters, 'item_id', parseItemId))
    if (item?.workspace !== key.workspace) throw new Failure('item_not_found')
    return presentItem(item, shape)
  },

  purchase({ state, limits, key, parameters, shape }) {
    const code = readOne(parameters, 'purchase_code', readPurchaseCode)
    const limited = limits.guess(key, code)
    if (limited) throw new Failure('rate_limited', undefined, limited)
    const found = state.purchase(key.workspace, code)
    if (!found || (key.items?.length && !key.items.includes(found.purchase.item))) {
      throw new Failure('purchase_not_found')
    }
    if ((found.purchase.state ?? 'active') !== 'active') throw new Failure('purchase_not_active')
    limits.validated(key, code)
    return presentPurchase(found.purchase, found.item, shape)
  },
}

/** The body of a success. */
function respondTo(operation: Operation, call: Omit<Call, 'shape'>): object {
  const { state, key, parameters } = call
  const shape = parameters.has('shape')
    ? readOne(parameters, 'shape', parseShape)
    : (state.workspace(key.workspace).shape ?? 'base')
  const fields = fillBody<unknown>(
    operation.body,
    (record, isList) => find[record]({ ...call, shape }, isList),
    (group) => group,
  )
  return { status: 'success', ...fields }
}

/** The first language that is asked for; anything but English and Portuguese is no preference. */
const readLocale = (header: string | null) =>
  header
    ?.split(',')
    .map((range) => range.trim().slice(0, 2).toLowerCase())
    .map((language) => locales.find((locale) => locale === language))
    .find(Boolean)

/** Responds to a request as the API does, with its checks in the API's order. */
export async function respond(
  state: State,
  limits: Limits,
  request: Request,
  requestId: string,
  now: number,
): Promise<Response> {
  const url = new URL(request.url)
  const operation = operationList.find(({ path }) => path === url.pathname)
  const headers = new Headers({ 'X-Request-Id': requestId })
  let key: KeyRecord | undefined
  try {
    if (!operation) throw new Failure('route_not_found')
    if (request.method !== operation.method) throw new Failure('method_not_allowed')
    const parameters = await readParameters(url, request)
    key = readKey(request, parameters, state.keys, now)
    const limited = limits.request()
    if (limited) throw new Failure('rate_limited', undefined, limited)
    if (key.publishable && !operation.publishable) throw new Failure('key_not_allowed')
    return Response.json(respondTo(operation, { state, limits, key, parameters }), { headers })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const limited = limits.failure(error.code, key)
    const {
      code,
      parameter,
      headers: more,
    } = limited ? new Failure('rate_limited', undefined, limited) : error
    for (const [name, value] of Object.entries(more)) headers.set(name, value)
    const { status } = errors[code]
    const locale =
      readLocale(request.headers.get('accept-language')) ??
      (key && state.workspace(key.workspace).locale) ??
      'en'
    headers.set('X-Error-Code', code)
    headers.set('Link', `<${url.origin}/docs/errors#${code}>; rel="help"`)
    headers.set('Content-Language', locale)
    headers.set('Cache-Control', 'no-store')
    if (status === 401) headers.set('WWW-Authenticate', 'Bearer')
    const msg = failureMessage({ code, operation: operation?.name, parameter }, locale)
    return Response.json({ status: 'error', msg }, { status, headers })
  }
}
