import type { Shape } from '@saleproof/schema'
import type { SaleproofError } from './errors.ts'
import type { Gate, GateCheck, GateCheckOptions, GateValid } from './gate/types.ts'
import { check, isFunction, isPositiveInteger, readOptions } from './options.ts'
import type { InvalidReason } from './types.ts'

/** What a guard needs of a request: a web `Request` has it. */
export interface GuardRequest {
  readonly headers: { get(name: string): string | null }
  /** Ends the wait for the decision. */
  readonly signal?: AbortSignal | undefined
}

/** The options of a guard. */
export interface GuardOptions<S extends Shape = Shape, R extends GuardRequest = Request>
  extends Pick<GateCheckOptions, 'itemId'> {
  readonly gate: Gate<S>
  /**
   * Reads the code, or a promise of it, from a request; from the header `X-Purchase-Code` by default. Not from the URL: URLs end up in
   * logs. No code is `missing_code`, and what is no text, such as a list of headers or a file of a form, `malformed_code`.
   */
  readonly readCode?: ((request: R) => unknown) | undefined
}

/** Why a request is denied. 401: no code was sent. 403: the code is invalid. 503: the outcome is unknown, and `error` says why. */
type Denial =
  | {
      readonly status: 401 | 403
      readonly reason: 'missing_code' | InvalidReason
      readonly error?: undefined
    }
  | { readonly status: 503; readonly reason: 'unknown'; readonly error: SaleproofError }

/** The decision against a request: `explain` makes a sentence of it. */
export type GuardDenied = Denial & {
  readonly allowed: false
  /** Where the result came from; `local` when nothing was sent. */
  readonly source: 'api' | 'cache' | 'local'
  readonly graceUntil?: undefined
  /** A response for the decision; it holds no request data. A 503 asks to wait as long as the API asked, or else 30 seconds. */
  response(): Response
}

/** The decision about a request. */
export type GuardDecision<S extends Shape = Shape> =
  // `response`, because without `strict` TypeScript does not see that it is there when `allowed` is false.
  ({ readonly allowed: true; readonly response?: undefined } & Omit<GateValid<S>, 'outcome'>) | GuardDenied

/**
 * Decides about a request. Rejects only for a mistake in the options, and when the request is aborted. `context` is that of a runtime
 * that ends background work with its request, such as `ctx` of a Cloudflare Worker.
 */
export type Guard<S extends Shape = Shape, R extends GuardRequest = Request> = (
  request: R,
  context?: Pick<GateCheckOptions, 'waitUntil'>,
) => Promise<GuardDecision<S>>

function deny(denial: Denial, source: GuardDenied['source']): GuardDenied {
  const { status, reason, error } = denial
  const retryAfter = Math.ceil((error?.retryAfterMs ?? 30_000) / 1_000)
  return {
    ...denial,
    allowed: false,
    source,
    response: () =>
      Response.json(
        { error: reason },
        {
          status,
          headers: {
            'cache-control': 'no-store',
            ...(error ? { 'retry-after': String(retryAfter) } : {}),
            ...(status === 401 ? { 'www-authenticate': 'PurchaseCode' } : {}),
          },
        },
      ),
  }
}

function decide<S extends Shape>(found: GateCheck<S>): GuardDecision<S> {
  if (found.outcome === 'invalid') return deny({ status: 403, reason: found.reason }, found.source)
  if (found.outcome === 'unknown')
    return deny({ status: 503, reason: 'unknown', error: found.error }, found.source)
  const { purchase, source, checkedAt, graceUntil } = found
  return { allowed: true, purchase, source, checkedAt, graceUntil }
}

const readHeader = (request: GuardRequest) => request.headers.get('X-Purchase-Code')

const rules = {
  gate: (value: unknown) => isFunction(Object(value).check),
  itemId: isPositiveInteger,
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
    if (!code) return deny({ status: 401, reason: 'missing_code' }, 'local')
    const { signal } = request
    const waitUntil = context?.waitUntil && ((work: Promise<unknown>) => context.waitUntil?.(work))
    // The gate refuses what is no text.
    return decide(await gate.check(code as string, { ...item, signal, waitUntil }))
  }
}
