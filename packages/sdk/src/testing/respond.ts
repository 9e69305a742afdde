import { type ErrorCode, fillBody, type RecordName, routes, type Shape } from '@saleproof/schema/constants'
import { presentAccount, presentItem, presentPurchase } from '@saleproof/schema/records'
import { type Call, calls } from '../calls.ts'
import type { KeyRecord } from './records.ts'
import type { State } from './state.ts'

/** Why a request fails; thrown by whatever finds out. */
class Failure extends Error {
  readonly status: number
  readonly code: ErrorCode

  constructor(status: number, code: ErrorCode) {
    super(code)
    this.status = status
    this.code = code
  }
}

function readKey(request: Request, parameters: URLSearchParams, keys: State['keys'], now: number): KeyRecord {
  const bearer = request.headers.get('authorization')?.slice('Bearer '.length)
  const key = keys.get(parameters.get('api_key') ?? bearer ?? '')
  if (!key) throw new Failure(401, 'invalid_api_key')
  if (key.revoked_at) throw new Failure(401, 'revoked_api_key')
  if (key.expires_at && Date.parse(key.expires_at) <= now) throw new Failure(401, 'expired_api_key')
  return key
}

interface Asked {
  state: State
  key: KeyRecord
  parameters: URLSearchParams
  shape: Shape
}

/** How a record, or a list of records, of a body is found. */
const find: Record<RecordName, (asked: Asked, isList: boolean) => unknown> = {
  account: ({ state, key }) => presentAccount(state.account(state.workspace(key.workspace).owner)),

  item({ state, key, parameters, shape }, isList) {
    if (isList) {
      const items = state.itemsOf(key.workspace)
      if (items.length === 0) throw new Failure(404, 'no_items')
      return items.map((item) => presentItem(item, shape))
    }
    const item = state.item(Number(parameters.get('item_id')))
    if (item?.workspace !== key.workspace) throw new Failure(404, 'item_not_found')
    return presentItem(item, shape)
  },

  purchase({ state, key, parameters, shape }) {
    const found = state.purchase(key.workspace, parameters.get('purchase_code') ?? '')
    if (!found || (key.items?.length && !key.items.includes(found.purchase.item)))
      throw new Failure(404, 'purchase_not_found')
    if ((found.purchase.state ?? 'active') !== 'active') throw new Failure(404, 'purchase_not_active')
    return presentPurchase(found.purchase, found.item, shape)
  },
}

async function findBody(state: State, request: Request, now: number): Promise<object> {
  const { method } = request
  const { pathname, search } = new URL(request.url)
  const call = Object.values<Call>(calls).find((each) => each.path === pathname && each.method === method)
  if (!call) throw new Failure(404, 'route_not_found')
  const parameters = new URLSearchParams(method === 'GET' ? search : await request.text())
  const key = readKey(request, parameters, state.keys, now)
  if (key.publishable && call.name !== 'validatePurchase') throw new Failure(403, 'key_not_allowed')
  const asked = parameters.get('shape') ?? state.workspace(key.workspace).shape
  const shape = asked === 'extended' ? asked : 'base'
  return fillBody<unknown>(
    routes[call.name].body,
    (record, isList) => find[record]({ state, key, parameters, shape }, isList),
    (group) => group,
  )
}

/** Responds to a request of the client as the API does; of a failure it has what the client reads. */
export async function respond(state: State, request: Request, now: number): Promise<Response> {
  try {
    return Response.json({ status: 'success', ...(await findBody(state, request, now)) })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { status, code } = error
    const headers = { 'X-Error-Code': code }
    return Response.json({ status: 'error', msg: code }, { status, headers })
  }
}
