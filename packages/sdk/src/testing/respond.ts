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
import type { KeyRecord } from './records.ts'
import type { State } from './state.ts'

/** Why a request fails; thrown by whatever finds out. */
class Failure extends Error {
  readonly code: ErrorCode
  readonly parameter: ParameterName | undefined

  constructor(code: ErrorCode, parameter?: ParameterName) {
    super(code)
    this.code = code
    this.parameter = parameter
  }
}

type Parameters = Map<string, Set<string>>

async function readParameters(url: URL, request: Request): Promise<Parameters> {
  const parameters: Parameters = new Map()
  for (const [name, value] of [...url.searchParams, ...new URLSearchParams(await request.text())])
    parameters.set(name, (parameters.get(name) ?? new Set()).add(value.trim()))
  return parameters
}

function readKey(request: Request, parameters: Parameters, keys: State['keys'], now: number): KeyRecord {
  const bearer = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  const [key = bearer] = parameters.get('api_key') ?? []
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

  purchase({ state, key, parameters, shape }) {
    const code = readOne(parameters, 'purchase_code', readPurchaseCode)
    const found = state.purchase(key.workspace, code)
    if (!found || (key.items?.length && !key.items.includes(found.purchase.item))) {
      throw new Failure('purchase_not_found')
    }
    if ((found.purchase.state ?? 'active') !== 'active') throw new Failure('purchase_not_active')
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
    if (key.publishable && !operation.publishable) throw new Failure('key_not_allowed')
    return Response.json(respondTo(operation, { state, key, parameters }), { headers })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { code, parameter } = error
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
