import type Router from '@koa/router'
import { type Locale, type OperationName, operations, type Shape } from '@saleproof/schema'
import { type ActiveKey, type ApiKeys, isSecret, mayUse } from '../domain/api-keys.ts'
import { ApiError } from '../http/api-error.ts'
import { readBody } from '../http/body.ts'
import { acceptedLocale } from '../http/locale.ts'
import { sendJson } from '../http/response.ts'
import type { RequestContext, RequestState } from '../http/state.ts'
import { createHandlers, type Domain } from './handlers.ts'
import { readApiKey, readShape, requiredParameters } from './parameters.ts'
import { givePass, type PassOptions } from './passes.ts'
import { createGuessLimit, createRequestLimit, type RateLimitOptions } from './rate-limit.ts'

export interface OperationsOptions extends Domain, RateLimitOptions, PassOptions {
  apiKeys: ApiKeys
  defaults: { shape: Shape; locale: Locale }
}

/** Mounts the operations. Each checks a request in the order that the contract gives. */
export function mountOperations(router: Router<RequestState>, options: OperationsOptions) {
  const { apiKeys, defaults } = options
  const handlers = createHandlers(options)
  const limitRequest = createRequestLimit(options)
  const limitGuess = createGuessLimit(options)

  async function authenticate(ctx: RequestContext): Promise<ActiveKey> {
    const found = await apiKeys.resolve(readApiKey(ctx))
    ctx.state.isKeySecret = isSecret('error' in found ? found.key : found)
    if ('error' in found) {
      ctx.state.refusedKey = found.key
      throw new ApiError(found.error)
    }
    ctx.state.key = found
    return found
  }

  function mount<Name extends OperationName>(name: Name) {
    const operation = operations[name]
    const method = operation.method === 'GET' ? 'get' : 'post'
    router[method](operation.path, async (ctx) => {
      ctx.state.operation = operation
      if (operation.method === 'POST') ctx.state.body = await readBody(ctx)
      const key = await authenticate(ctx)
      await limitRequest(ctx, key)
      if (!mayUse(key, operation)) throw new ApiError('key_not_allowed')
      const shape = readShape(ctx) ?? key.shape ?? defaults.shape
      const parameters = requiredParameters(ctx, name)
      const body = await handlers[name]({ state: ctx.state, key, shape, parameters })
      await limitGuess(ctx, key)
      await givePass(ctx, key.workspaceId, options)
      const locale = acceptedLocale(ctx.req.headers['accept-language']) ?? key.locale ?? defaults.locale
      await sendJson(ctx, body, { locale, cacheable: operation.method === 'GET' })
    })
  }

  for (const { name } of Object.values(operations)) mount(name)
}
