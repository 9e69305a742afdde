import type { Locale, Shape } from '@saleproof/schema'
import { acceptedLocale } from '../../http/locale.ts'
import type { Proxies } from '../../http/proxies.ts'
import type { PublicAddress } from '../../http/public-address.ts'
import type { RequestIdFor } from '../../http/request-id.ts'
import type { RequestMiddleware } from '../../http/state.ts'
import type { Observe } from '../../observability/observer.ts'
import type { Limits } from '../../rate-limit/limits.ts'
import { readSmallBody } from './body.ts'
import { memoize } from './memoize.ts'
import { type PlainRequest, readPlain, takeBody } from './request.ts'
import type { Found, Resolver } from './resolver.ts'
import { createResponder, type Exchange } from './respond.ts'
import type { ReplyHead } from './write-response.ts'

export interface FastPathOptions {
  resolver: Resolver
  defaults: { shape: Shape; locale: Locale }
  limits: Limits
  proxies: Proxies
  address: PublicAddress
  requestIdFor: RequestIdFor
  /** While the service stops each answer ends its connection: the routes see to that. */
  stopping: () => boolean
  observe: Observe
}

const isComplete = ({ operation, key, itemId, code }: PlainRequest) =>
  key !== '' &&
  (operation.name !== 'getItem' || itemId !== 0) &&
  (operation.name !== 'validatePurchase' || code !== '')

/**
 * Answers the plain requests of the four operations, first in line, and leaves everything else to the routes behind it: requests of an
 * unusual form, failures that need an explanation, and every moment in which the database does not answer. It exists because a request
 * through router, body parser and Prisma costs ten times what it takes to find and send the answer. The rest of the service does not
 * know of it, and answers the same bytes without it.
 */
export function createFastPath(options: FastPathOptions) {
  const { resolver, limits, proxies, address, observe, defaults, requestIdFor, stopping } = options
  const { respond, isLarge } = createResponder({ limits, address, observe, encode: resolver.encode })
  let answers = 0
  const localeOf = memoize((text) => acceptedLocale(text) ?? '')

  function headOf({ acceptLanguage, requestId }: PlainRequest, { holder }: Found): ReplyHead {
    const accepted = acceptLanguage === undefined ? '' : localeOf(acceptLanguage)
    const locale = accepted || holder?.locale || defaults.locale
    // A key that is refused has no limit of its own to tell of.
    const policy = holder && limits.policy
    return { requestId: requestIdFor(requestId), locale, policy, rate: undefined }
  }

  function answerWith(exchange: Exchange, found: Found | undefined): true | Promise<true> | undefined {
    const { request, incoming } = exchange
    if (!found || isLarge(request, found)) return undefined
    exchange.client = proxies.clientAddress(incoming)
    const sent = respond(exchange, found, headOf(request, found))
    return sent instanceof Promise ? sent.then(() => true as const) : true
  }

  /** Answers, if there is a plain answer; undefined where there is none. */
  function answer(exchange: Exchange): true | undefined | Promise<true | undefined> {
    if (!isComplete(exchange.request)) return undefined
    const found = resolver.find(exchange.request)
    return found instanceof Promise
      ? found.then((later) => answerWith(exchange, later))
      : answerWith(exchange, found)
  }

  /** A POST can be answered when its body was read; the routes read it from where it is kept. */
  async function answerPost(ctx: Parameters<RequestMiddleware>[0], exchange: Exchange) {
    const { request, incoming } = exchange
    if (request.body === undefined || request.bodyLength === 0) return undefined
    const body = await readSmallBody(incoming)
    ctx.state.earlyBody = body
    if (!(body instanceof Buffer) || stopping()) return undefined
    return takeBody(request, body) ? answer(exchange) : undefined
  }

  const fastPath: RequestMiddleware = function fastPath(ctx, next) {
    const start = performance.now()
    const request = stopping() ? undefined : readPlain(ctx.req, address.prefix)
    if (!request) return next()
    const exchange = { incoming: ctx.req, response: ctx.res, request, start, client: '' }
    const proceed = (done: true | undefined) => {
      if (!done) return next()
      answers++
      ctx.respond = false
    }
    const answered = request.operation.method === 'POST' ? answerPost(ctx, exchange) : answer(exchange)
    return answered instanceof Promise ? answered.then(proceed) : proceed(answered)
  }

  return {
    middleware: fastPath,
    /** How many requests were answered here, and what that took. */
    figures: () => ({ answers, ...resolver.figures() }),
    close: resolver.close,
  }
}

export type FastPath = ReturnType<typeof createFastPath>
