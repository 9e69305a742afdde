import type { Purchase, Shape } from '@saleproof/schema'
import type { Gate, GateCheck } from './gate/gate.ts'
import { check, itemIdRule } from './options.ts'
import type { InvalidReason } from './types.ts'

/** What a guard needs of a request: a web `Request` has it. */
export interface GuardRequest {
  readonly headers: { get(name: string): string | null }
  /** Ends the wait for the decision. */
  readonly signal?: AbortSignal
}

/** The options of a guard. */
export interface GuardOptions<S extends Shape = Shape, R extends GuardRequest = Request> {
  readonly gate: Gate<S>
  /**
   * What happens in an outage: `deny`, or `allow-cached` for codes that were valid within the grace of the gate. Which is right
   * depends on the product, so there is no default.
   */
  readonly onUnknown: 'deny' | 'allow-cached'
  /** The item that the code must be for; any item of the workspace by default. */
  readonly itemId?: number
  /** Reads the code from a request; from the header `X-Purchase-Code` by default. Not from the URL: URLs end up in logs. */
  readonly readCode?: (request: R) => string | null | undefined | Promise<string | null | undefined>
}

/** The decision about a request. */
export type GuardDecision<S extends Shape = Shape> =
  | { readonly allowed: true; readonly purchase: Purchase<S>; readonly source: 'api' | 'store' | 'grace' }
  | {
      readonly allowed: false
      /** 401: no code was sent. 403: the code is invalid. 503: the outcome is unknown. */
      readonly status: 401 | 403 | 503
      readonly reason: 'missing_code' | InvalidReason | 'unknown'
      /** A response for the decision; it holds no request data. */
      response(): Response
    }

/** Decides about a request. Rejects only for a mistake in the options, and when the request is aborted. */
export type Guard<S extends Shape = Shape, R extends GuardRequest = Request> = (
  request: R,
) => Promise<GuardDecision<S>>

function deny(reason: 'missing_code' | InvalidReason | 'unknown') {
  const status = reason === 'missing_code' ? 401 : reason === 'unknown' ? 503 : 403
  return {
    allowed: false,
    status,
    reason,
    response: () =>
      Response.json(
        { error: reason },
        {
          status,
          headers: {
            'cache-control': 'no-store',
            ...(status === 503 ? { 'retry-after': '30' } : {}),
            ...(status === 401 ? { 'www-authenticate': 'PurchaseCode' } : {}),
          },
        },
      ),
  } as const
}

function decide<S extends Shape>(found: GateCheck<S>, onUnknown: 'deny' | 'allow-cached'): GuardDecision<S> {
  if (found.outcome === 'invalid') return deny(found.reason)
  if (found.outcome === 'unknown' || (found.source === 'grace' && onUnknown !== 'allow-cached'))
    return deny('unknown')
  return { allowed: true, purchase: found.purchase, source: found.source }
}

/**
 * Creates a guard: a web `Request` in, a decision out.
 *
 * @example
 * const guard = createGuard({ gate, onUnknown: 'allow-cached', itemId: 101 })
 * const decision = await guard(request)
 * if (!decision.allowed) return decision.response()
 */
export function createGuard<S extends Shape = Shape, R extends GuardRequest = Request>(
  options: GuardOptions<S, R>,
): Guard<S, R> {
  const { gate, itemId, onUnknown, readCode = (request) => request.headers.get('X-Purchase-Code') } = options
  check('onUnknown', onUnknown, [/^(deny|allow-cached)$/, 'deny or allow-cached'])
  if ('itemId' in options) check('itemId', itemId, itemIdRule)
  const item = itemId === undefined ? {} : { itemId }
  return async (request) => {
    const code = await readCode(request)
    if (!code) return deny('missing_code')
    const { signal } = request
    return decide(await gate.check(code, { ...item, ...(signal && { signal }) }), onUnknown)
  }
}
