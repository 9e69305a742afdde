import {
  type ErrorCode,
  errors,
  failureMessage,
  type Locale,
  type Operation,
  operationList,
  type ParameterName,
  type Shape,
} from '@saleproof/schema'
import { readPurchaseCode } from '../purchase-code.ts'
import {
  presentAccount,
  presentBase,
  presentExtended,
  presentPurchaseBase,
  presentPurchaseExtended,
} from './present.ts'
import type { ItemRecord, KeyRecord } from './records.ts'
import type { State } from './state.ts'

interface Failure {
  code: ErrorCode
  parameter?: ParameterName
}

type Parameters = Map<string, Set<string>>

const isFailure = (value: object): value is Failure => 'code' in value

async function readParameters(url: URL, request: Request): Promise<Parameters | Failure> {
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
    try {
      for (const [name, value] of Object.entries(JSON.parse(text) as object)) add(name, value)
    } catch {
      return { code: 'malformed_body' }
    }
  } else return { code: 'unsupported_media_type' }
  return parameters
}

function readKey(
  request: Request,
  parameters: Parameters,
  keys: State['keys'],
  now: number,
): KeyRecord | Failure {
  const bearer = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  const sent = new Set([
    bearer,
    request.headers.get('x-api-key')?.trim(),
    ...(parameters.get('api_key') ?? []),
  ])
  const [key, ...others] = [...sent].filter(Boolean)
  if (others.length > 0) return { code: 'conflicting_api_keys' }
  if (!key) return { code: 'missing_api_key' }
  const found = keys.get(key)
  if (!found) return { code: 'invalid_api_key' }
  if (found.revoked_at) return { code: 'revoked_api_key' }
  return found.expires_at && Date.parse(found.expires_at) <= now ? { code: 'expired_api_key' } : found
}

function readOne(parameters: Parameters, parameter: ParameterName, form: RegExp): string | Failure {
  const [value, ...others] = parameters.get(parameter) ?? []
  if (!value) return { code: 'missing_parameter', parameter }
  return others.length > 0 || !form.test(value) ? { code: 'invalid_parameter', parameter } : value
}

function answer(
  state: State,
  operation: Operation,
  key: KeyRecord,
  parameters: Parameters,
): object | Failure {
  const { workspace } = key
  const asked = parameters.has('shape') ? readOne(parameters, 'shape', /^(base|extended)$/) : undefined
  if (typeof asked === 'object') return asked
  const shape = (asked ?? state.workspace(workspace).shape ?? 'base') as Shape
  const present = (item: ItemRecord) => (shape === 'base' ? presentBase(item) : presentExtended(item))

  if (operation.name === 'getAccount') {
    return { status: 'success', data: presentAccount(state.account(state.workspace(workspace).owner)) }
  }
  if (operation.name === 'listItems') {
    const items = state.itemsOf(workspace).map(present)
    return items.length > 0 ? { status: 'success', items } : { code: 'no_items' }
  }
  if (operation.name === 'getItem') {
    const id = readOne(parameters, 'item_id', /^[1-9]\d{0,15}$/)
    if (typeof id === 'object') return id
    if (!Number.isSafeInteger(Number(id))) return { code: 'invalid_parameter', parameter: 'item_id' }
    const item = state.item(workspace, Number(id))
    return item ? { status: 'success', item: present(item) } : { code: 'item_not_found' }
  }
  const code = readOne(parameters, 'purchase_code', /^/)
  if (typeof code === 'object') return code
  if (!readPurchaseCode(code)) return { code: 'invalid_parameter', parameter: 'purchase_code' }
  const found = state.findPurchase(workspace, code)
  if (!found || (key.items?.length && !key.items.includes(found.item))) return { code: 'purchase_not_found' }
  if ((found.state ?? 'active') !== 'active') return { code: 'purchase_not_active' }
  const presentPurchase = shape === 'base' ? presentPurchaseBase : presentPurchaseExtended
  return { status: 'success', data: { purchase: presentPurchase(found, state.item(workspace, found.item)!) } }
}

/** The language that is asked for first; anything but English and Portuguese is no preference. */
const readLocale = (header: string | null): Locale | undefined =>
  header
    ?.split(',')
    .map((range) => range.trim().slice(0, 2).toLowerCase())
    .find((language): language is Locale => language === 'en' || language === 'pt')

/** Answers a request as the API does, in the API's order of checks. */
export async function respond(
  state: State,
  request: Request,
  requestId: string,
  now: number,
): Promise<Response> {
  const url = new URL(request.url)
  const operation = operationList.find(({ path }) => path === url.pathname)
  const headers = new Headers({ 'X-Request-Id': requestId })
  let workspace: string | undefined

  const fail = ({ code, parameter }: Failure) => {
    const { status } = errors[code]
    const locale =
      readLocale(request.headers.get('accept-language')) ??
      (workspace && state.workspace(workspace).locale) ??
      'en'
    headers.set('X-Error-Code', code)
    headers.set('Link', `<${url.origin}/docs/errors#${code}>; rel="help"`)
    headers.set('Content-Language', locale)
    headers.set('Cache-Control', 'no-store')
    if (status === 401) headers.set('WWW-Authenticate', 'Bearer')
    const msg = failureMessage({ code, operation: operation?.name, parameter }, locale as Locale)
    return Response.json({ status: 'error', msg }, { status, headers })
  }

  if (!operation) return fail({ code: 'route_not_found' })
  if (request.method !== operation.method) return fail({ code: 'method_not_allowed' })
  const parameters = await readParameters(url, request)
  if (!(parameters instanceof Map)) return fail(parameters)
  const key = readKey(request, parameters, state.keys, now)
  if ('code' in key) return fail(key)
  workspace = key.workspace
  if (key.publishable && !operation.publishable) return fail({ code: 'key_not_allowed' })
  const body = answer(state, operation, key, parameters)
  return isFailure(body) ? fail(body) : Response.json(body, { headers })
}
