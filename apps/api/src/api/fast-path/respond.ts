import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorCode } from '@saleproof/schema'
import { retryAfterSeconds } from '../../http/error-handler.ts'
import type { PublicAddress } from '../../http/public-address.ts'
import { type Encoding, encodingFor, matches, smallestCompressed } from '../../http/response.ts'
import type { Observe } from '../../observability/observer.ts'
import type { LimitResult, Limits } from '../../rate-limit/limits.ts'
import { mapMaybeAsync } from '../../rate-limit/map-maybe-async.ts'
import type { List, Lists } from './lists.ts'
import { memoize } from './memoize.ts'
import type { PlainRequest } from './request.ts'
import type { Found } from './resolver.ts'
import type { Answer } from './responses.ts'
import { type ReplyHead, sendFailure, sendRead, sendUnchanged, sendValidation } from './write-response.ts'

/** A request that is being answered. */
export interface Exchange {
  incoming: IncomingMessage
  response: ServerResponse
  request: PlainRequest
  /** When it came, by the monotonic clock. */
  start: number
  /** The caller's address. */
  client: string
}

interface ResponderOptions {
  limits: Limits
  address: PublicAddress
  observe: Observe
  encode: Lists['encode']
}

/** Sends what was found, within the limits, and tells of it. */
export function createResponder({ limits, address, observe, encode }: ResponderOptions) {
  const encodingOf = memoize((text) => encodingFor(text, Number.POSITIVE_INFINITY))

  function encodingFrom({ acceptEncoding }: PlainRequest, length: number): Encoding {
    return acceptEncoding === undefined || length < smallestCompressed
      ? 'identity'
      : encodingOf(acceptEncoding)
  }

  function note(
    { request, incoming, response, start }: Exchange,
    { holder, refused, answer }: Found,
    { requestId }: ReplyHead,
    code: ErrorCode | null,
  ) {
    observe({
      method: request.operation.method,
      route: request.operation.path,
      operation: request.operation.name,
      status: response.statusCode,
      code,
      durationMs: performance.now() - start,
      requestId,
      workspace: holder?.workspaceId ?? null,
      keyId: holder?.keyId,
      refusedKey: refused,
      rawHeaders: incoming.rawHeaders,
      itemId: code === null && typeof answer === 'object' && 'itemId' in answer ? answer.itemId : undefined,
    })
  }

  function fail(exchange: Exchange, found: Found, head: ReplyHead, code: ErrorCode, retryAfter?: number) {
    const { incoming, response, request } = exchange
    const errorPage = `${address.of(incoming)}/docs/errors#${code}`
    const wait = code === 'unavailable' ? retryAfterSeconds : retryAfter
    sendFailure(response, head, { operation: request.operation.name, code, errorPage, retryAfter: wait })
    note(exchange, found, head, code)
  }

  const tooMany = (exchange: Exchange, found: Found, head: ReplyHead, verdict: LimitResult) => {
    const limited = { ...head, policy: verdict.policy, rate: verdict.header }
    fail(exchange, found, limited, 'rate_limited', verdict.retryAfter)
  }

  /** A failure that someone who guesses makes is counted, and becomes a 429 when there were too many. */
  function failCounted(exchange: Exchange, found: Found, head: ReplyHead, code: ErrorCode) {
    return mapMaybeAsync(limits.failure(code, found.holder?.keyId, exchange.client), (verdict) =>
      verdict && !verdict.allowed
        ? tooMany(exchange, found, head, verdict)
        : fail(exchange, found, head, code),
    )
  }

  function sendText({ request, response }: Exchange, head: ReplyHead, { body, length, tag }: Answer) {
    if (request.operation.method === 'POST') return sendValidation(response, head, body, length)
    const etag = `"${tag}-${head.locale}-identity"`
    if (matches(request.ifNoneMatch, etag)) return sendUnchanged(response, head, etag)
    sendRead(response, head, { body, length, etag, encoding: 'identity' })
  }

  function sendList({ request, response }: Exchange, head: ReplyHead, list: List) {
    const encoding = encodingFrom(request, list.bytes.length)
    const etag = `"${list.tag}-${head.locale}-${encoding}"`
    if (matches(request.ifNoneMatch, etag)) return sendUnchanged(response, head, etag)
    return mapMaybeAsync(encode(list, encoding), (body) =>
      sendRead(response, head, { body, length: body.length, etag, encoding }),
    )
  }

  function sendFound(exchange: Exchange, found: Found, head: ReplyHead, verdict: LimitResult | undefined) {
    const { answer } = found
    if (verdict) head.rate = verdict.header
    if (verdict && !verdict.allowed) return tooMany(exchange, found, head, verdict)
    if (typeof answer === 'string') return failCounted(exchange, found, head, answer)
    const sent = 'bytes' in answer ? sendList(exchange, head, answer) : sendText(exchange, head, answer)
    return mapMaybeAsync(sent, () => note(exchange, found, head, null))
  }

  return {
    /** Whether the routes have to answer after all, because they compress what is larger than usual. */
    isLarge: (request: PlainRequest, { answer }: Found) =>
      typeof answer === 'object' && 'body' in answer && encodingFrom(request, answer.length) !== 'identity',

    respond(exchange: Exchange, found: Found, head: ReplyHead): void | Promise<void> {
      const { holder } = found
      const result = holder && limits.request(holder.keyId, exchange.client)
      return mapMaybeAsync(result, (verdict) => sendFound(exchange, found, head, verdict))
    },
  }
}
