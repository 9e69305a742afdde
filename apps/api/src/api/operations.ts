import type Router from '@koa/router'
import {
  type Locale,
  type Operation,
  type OperationName,
  operationList,
  type ResponseBodies,
  type Shape,
} from '@saleproof/schema'
import type { Accounts } from '../domain/accounts.ts'
import type { ApiKeys, KeyHolder } from '../domain/api-keys.ts'
import type { Items } from '../domain/items.ts'
import type { Purchases } from '../domain/purchases.ts'
import { ApiError } from '../http/api-error.ts'
import { body } from '../http/body.ts'
import { acceptedLocale } from '../http/locale.ts'
import type { Proxies } from '../http/proxies.ts'
import { answer } from '../http/response.ts'
import type { RequestContext, RequestMiddleware } from '../http/state.ts'
import type { Limits } from '../rate-limit/limits.ts'
import { apiKeyOf, itemIdOf, purchaseCodeOf, shapeOf } from './parameters.ts'
import { presentAccount } from './presenters/account.ts'
import { presentItem } from './presenters/item.ts'
import { rateLimit } from './rate-limit.ts'
import { presentValidation, validPurchase } from './validation-cors.ts'

export interface OperationsOptions {
  apiKeys: ApiKeys
  accounts: Accounts
  items: Items
  purchases: Purchases
  limits: Limits
  proxies: Proxies
  defaults: { shape: Shape; locale: Locale }
}

interface Call {
  ctx: RequestContext
  key: KeyHolder
  shape: Shape
}

type Handlers = { [Name in OperationName]: (call: Call) => Promise<ResponseBodies[Name]> }

function createHandlers({ accounts, items, purchases }: OperationsOptions): Handlers {
  return {
    async getAccount({ key }) {
      const row = await accounts.ofWorkspace(key.workspaceId)
      if (!row) throw new Error('a workspace without an account')
      return { status: 'success', data: presentAccount(row) }
    },
    async listItems({ key, shape }) {
      const rows = await items.all(key.workspaceId)
      if (rows.length === 0) throw new ApiError('no_items')
      return { status: 'success', items: rows.map((row) => presentItem(row, shape)) }
    },
    async getItem({ ctx, key, shape }) {
      const row = await items.byId(key.workspaceId, itemIdOf(ctx))
      if (!row) throw new ApiError('item_not_found')
      return { status: 'success', item: presentItem(row, shape) }
    },
    async validatePurchase({ ctx, key, shape }) {
      const row = await validPurchase(purchases, key, purchaseCodeOf(ctx))
      ctx.state.itemId = Number(row.itemId)
      return presentValidation(row, shape)
    },
  }
}

/** Who asks: a key that is known, neither expired nor revoked. */
function authenticate({ apiKeys }: OperationsOptions): RequestMiddleware {
  return async function authenticate(ctx, next) {
    const found = await apiKeys.resolve(apiKeyOf(ctx))
    if ('refusal' in found) {
      ctx.state.refusedKey = found.key
      throw new ApiError(found.refusal)
    }
    ctx.state.key = found
    await next()
  }
}

/** What a publishable key may do. */
function authorize(operation: Operation): RequestMiddleware {
  return async function authorize(ctx, next) {
    if (ctx.state.key?.publishable && !operation.publishable) throw new ApiError('key_not_allowed')
    await next()
  }
}

function handle(
  operation: Operation,
  handlers: Handlers,
  { defaults }: OperationsOptions,
): RequestMiddleware {
  return async function handle(ctx) {
    const key = ctx.state.key!
    const shape = shapeOf(ctx) ?? key.shape ?? defaults.shape
    const result = await handlers[operation.name]({ ctx, key, shape })
    const locale = acceptedLocale(ctx.req.headers['accept-language']) ?? key.locale ?? defaults.locale
    ctx.set('Content-Language', locale)
    await answer(ctx, JSON.stringify(result), { conditional: operation.method === 'GET' })
  }
}

/** Mounts the four operations, in the order of checks that the contract gives. */
export function mountOperations(router: Router<RequestContext['state']>, options: OperationsOptions) {
  const handlers = createHandlers(options)
  for (const operation of operationList) {
    const method = operation.method === 'POST' ? 'post' : 'get'
    router[method](
      operation.path,
      function name(ctx, next) {
        ctx.state.operation = operation
        return next()
      },
      body(),
      authenticate(options),
      rateLimit(options),
      authorize(operation),
      handle(operation, handlers, options),
    )
  }
}
