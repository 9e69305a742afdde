import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorCode, Locale, Shape } from '@saleproof/schema'
import type { KeyVault } from '../crypto/key-vault.ts'
import { type Encoding, encodingFor, matches, smallestCompressed } from '../http/answer.ts'
import { acceptedLocale } from '../http/locale.ts'
import type { Proxies } from '../http/proxies.ts'
import type { PublicAddress } from '../http/public-address.ts'
import type { RequestIdFor } from '../http/request-id.ts'
import type { RequestMiddleware } from '../http/state.ts'
import type { Limits } from '../limits/limits.ts'
import type { Observe } from '../telemetry/observer.ts'
import type { Answer } from './answers.ts'
import { readSmallBody } from './body.ts'
import { createCache } from './cache.ts'
import type { List } from './lists.ts'
import { createLookUp, type Found } from './look-up.ts'
import { type ReplyHead, sendFailure, sendRead, sendUnchanged, sendValidation } from './reply.ts'
import { type PlainRequest, readPlain, takeBody } from './request.ts'

export interface HotPathOptions {
  databaseFile: string
  vault: KeyVault
  defaults: { shape: Shape; locale: Locale }
  limits: Limits
  proxies: Proxies
  address: PublicAddress
  requestIdFor: RequestIdFor
  /** While the service stops each answer ends its connection: the routes see to that. */
  stopping: () => boolean
  observe: Observe
  clock: () => Date
}

/** Remembers what a header was found to mean: clients send the same few texts over and over. */
function remembering<Value extends string>(read: (text: string) => Value): (text: string) => Value {
  const kept = createCache<Value>({ entries: 500 })
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) return known
    const value = read(text)
    if (text.length < 200) kept.set(text, value)
    return value
  }
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
export function createHotPath(options: HotPathOptions) {
  const { limits, proxies, address, observe, defaults, requestIdFor, stopping } = options
  const lookUp = createLookUp({
    databaseFile: options.databaseFile,
    vault: options.vault,
    defaultShape: defaults.shape,
    now: () => options.clock().getTime(),
  })
  const localeOf = remembering((text) => acceptedLocale(text) ?? '')
  const encodingOf = remembering((text) => encodingFor(text, Number.POSITIVE_INFINITY))

  function headOf(request: PlainRequest, holder: Found['holder']): ReplyHead {
    const accepted = request.acceptLanguage === undefined ? '' : localeOf(request.acceptLanguage)
    return {
      requestId: requestIdFor(request.requestId),
      locale: accepted || holder?.locale || defaults.locale,
      policy: limits.policy,
      rate: undefined,
    }
  }

  function encodingFrom(request: PlainRequest, length: number): Encoding {
    if (request.acceptEncoding === undefined || length < smallestCompressed) return 'identity'
    return encodingOf(request.acceptEncoding)
  }

  function fail(exchange: Exchange, code: ErrorCode, head: ReplyHead, retryAfter?: number) {
    const { incoming, response, request } = exchange
    const errorPage = `${address.of(incoming)}/docs/errors#${code}`
    sendFailure(response, head, { operation: request.operation.name, code, errorPage, retryAfter })
    return code
  }

  /** A failure that someone who guesses makes is counted, and becomes a 429 when there were too many. */
  function failCounted(exchange: Exchange, code: ErrorCode, head: ReplyHead, keyId: string | undefined) {
    const verdict = limits.failure(code, keyId, exchange.client)
    if (!verdict || verdict.allowed) return fail(exchange, code, head)
    return fail(exchange, 'rate_limited', { ...head, rate: verdict.header }, verdict.retryAfter)
  }

  function sendText({ request, response }: Exchange, head: ReplyHead, { body, length, tag }: Answer) {
    if (request.operation.method === 'POST') return sendValidation(response, head, body, length)
    const etag = `"${tag}-${head.locale}-identity"`
    if (matches(request.ifNoneMatch, etag)) return sendUnchanged(response, head, etag)
    sendRead(response, head, { body, length, etag, encoding: 'identity' })
  }

  async function sendList({ request, response }: Exchange, head: ReplyHead, list: List) {
    const encoding = encodingFrom(request, list.bytes.length)
    const etag = `"${list.tag}-${head.locale}-${encoding}"`
    if (matches(request.ifNoneMatch, etag)) return sendUnchanged(response, head, etag)
    const body = await lookUp.encode(list, encoding)
    sendRead(response, head, { body, length: body.length, etag, encoding })
  }

  /** Sends what was found; gives the code of a failure, or a promise while a list is compressed. */
  function send(exchange: Exchange, { answer, holder }: Found, head: ReplyHead) {
    const verdict = holder && limits.request(holder.keyId, exchange.client)
    if (verdict) head.rate = verdict.header
    if (verdict && !verdict.allowed) return fail(exchange, 'rate_limited', head, verdict.retryAfter)
    if (typeof answer === 'string') return failCounted(exchange, answer, head, holder?.keyId)
    if ('bytes' in answer) return sendList(exchange, head, answer)
    return sendText(exchange, head, answer)
  }

  function note(
    { request, response, start }: Exchange,
    holder: Found['holder'],
    id: string,
    code: ErrorCode | null,
  ) {
    observe({
      method: request.operation.method,
      route: request.operation.path,
      operation: request.operation.name,
      status: response.statusCode,
      code,
      durationMs: performance.now() - start,
      requestId: id,
      workspace: holder?.workspaceId ?? null,
    })
  }

  /** Answers, if there is a plain answer; says whether it did. */
  function answered(exchange: Exchange): boolean | Promise<boolean> {
    const { request } = exchange
    const found = isComplete(request) ? lookUp.find(request) : undefined
    // The routes compress what is larger than usual.
    if (!found || isLarge(request, found)) return false
    const head = headOf(request, found.holder)
    exchange.client = proxies.clientAddress(exchange.incoming)
    const sent = send(exchange, found, head)
    if (sent instanceof Promise) {
      return sent.then(() => {
        note(exchange, found.holder, head.requestId, null)
        return true
      })
    }
    note(exchange, found.holder, head.requestId, sent ?? null)
    return true
  }

  const isLarge = (request: PlainRequest, { answer }: Found) =>
    typeof answer === 'object' && 'body' in answer && encodingFrom(request, answer.length) !== 'identity'

  const hotPath: RequestMiddleware = function hotPath(ctx, next) {
    const start = performance.now()
    const incoming: IncomingMessage = ctx.req
    const request = stopping() ? undefined : readPlain(incoming, address.prefix)
    if (!request) return next()
    const exchange: Exchange = { incoming, response: ctx.res, request, start, client: '' }
    const proceed = (done: boolean) => {
      if (!done) return next()
      ctx.respond = false
    }
    if (request.operation.method === 'POST') return afterBody(ctx, exchange, proceed)
    const done = answered(exchange)
    return done instanceof Promise ? done.then(proceed) : proceed(done)
  }

  async function afterBody(
    ctx: Parameters<RequestMiddleware>[0],
    exchange: Exchange,
    proceed: (done: boolean) => Promise<unknown> | undefined,
  ) {
    const { request, incoming } = exchange
    if (request.body === undefined || request.bodyLength === 0) return proceed(false)
    const body = await readSmallBody(incoming)
    ctx.state.earlyBody = body
    return proceed(body instanceof Buffer && takeBody(request, body) && (await answered(exchange)))
  }

  return { middleware: hotPath, close: lookUp.close }
}

interface Exchange {
  incoming: IncomingMessage
  response: ServerResponse
  request: PlainRequest
  start: number
  client: string
}
