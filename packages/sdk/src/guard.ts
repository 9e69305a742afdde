import type { Shape } from '@saleproof/schema'
import type { Gate, GateCheck, GateCheckOptions, GateValid } from './gate/types.ts'
import { check, isFunction, isItemId, readOptions } from './options.ts'
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
  /** The item that the code must be for; any item of the workspace by default. */
  readonly itemId?: number
  /** Reads the code from a request; from the header `X-Purchase-Code` by default. Not from the URL: URLs end up in logs. */
  readonly readCode?: (request: R) => string | null | undefined | Promise<string | null | undefined>
}

/** The decision about a request. */
export type GuardDecision<S extends Shape = Shape> =
  // `response`, because without `strict` TypeScript does not see that it is there when `allowed` is false.
  | ({ readonly allowed: true; readonly response?: undefined } & Omit<GateValid<S>, 'outcome'>)
  | {
      readonly allowed: false
      /** 401: no code was sent. 403: the code is invalid. 503: the outcome is unknown. */
      readonly status: 401 | 403 | 503
      readonly reason: 'missing_code' | InvalidReason | 'unknown'
      /** Where the result came from; `local` when nothing was sent. */
      readonly source: 'api' | 'cache' | 'local'
      readonly graceUntil?: undefined
      /** A response for the decision; it holds no request data. */
      response(): Response
    }

/**
 * Decides about a request. Rejects only for a mistake in the options, and when the request is aborted. `context` is that of a runtime
 * that ends background work with its request, such as `ctx` of a Cloudflare Worker.
 */
export type Guard<S extends Shape = Shape, R extends GuardRequest = Request> = (
  request: R,
  context?: Pick<GateCheckOptions, 'waitUntil'>,
) => Promise<GuardDecision<S>>

function deny(reason: 'missing_code' | InvalidReason | 'unknown', source: 'api' | 'cache' | 'local') {
  const status = reason === 'missing_code' ? 401 : reason === 'unknown' ? 503 : 403
  return {
    allowed: false,
    status,
    reason,
    source,
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

function decide<S extends Shape>(found: GateCheck<S>): GuardDecision<S> {
  if (found.outcome !== 'valid')
    return deny(found.outcome === 'invalid' ? found.reason : 'unknown', found.source)
  const { purchase, source, checkedAt, graceUntil } = found
  return { allowed: true, purchase, source, checkedAt, graceUntil }
}

const readHeader = (request: GuardRequest) => request.headers.get('X-Purchase-Code')

const rules = {
  gate: (value: unknown) => isFunction(Object(value).check),
  itemId: isItemId,
  readCode: isFunction,
}

/**
 * Creates a guard: a web `Request` in, a decision out. What it does in an outage is the `onUnknown` of its gate.
 *
 * @example
 * const guard = createGuard({ gate, itemId: 101 })
 * const decision = await guard(request)
 * if (!decision.allowed) return decision.response()
 */
export function createGuard<S extends Shape = Shape, R extends GuardRequest = Request>(
  options: GuardOptions<S, R>,
): Guard<S, R> {
  const { gate, readCode = readHeader, ...item } = readOptions<GuardOptions<S, R>>(options, rules)
  check('gate', gate, rules.gate)
  return async (request, context) => {
    const code = await readCode(request)
    if (!code) return deny('missing_code', 'local')
    const { signal } = request
    const background = context?.waitUntil && {
      waitUntil: (work: Promise<unknown>) => context.waitUntil?.(work),
    }
    return decide(await gate.check(code, { ...item, ...background, ...(signal && { signal }) }))
  }
}
