import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ErrorCode, headerNames, type Locale } from '@saleproof/schema'
import { isSecret } from '../../domain/api-keys.ts'
import { type ErrorContext, type ErrorDescription, errorResponse } from '../../http/error-response.ts'
import { acceptedLocale } from '../../http/locale.ts'
import type { Proxies } from '../../http/proxies.ts'
import type { PublicAddress } from '../../http/public-address.ts'
import type { Observe } from '../../http/request-event.ts'
import type { RequestIdFor } from '../../http/request-id.ts'
import { encodingFor, successHead } from '../../http/response.ts'
import { headerLines, sendResponse } from '../../http/send-response.ts'
import type { Limits } from '../../rate-limit/limits.ts'
import { mapMaybeAsync } from '../../rate-limit/map-maybe-async.ts'
import { corsHeaders } from '../cors.ts'
import { overLimit } from '../rate-limit.ts'
import { encodeList, type List } from './lists.ts'
import type { FastPathRequest } from './request.ts'
import { isKeySecret, type Resolution } from './resolver.ts'
import type { SuccessBody } from './responses.ts'

export interface Exchange {
  incoming: IncomingMessage
  response: ServerResponse
  request: FastPathRequest
  /** When the request came, by the monotonic clock. */
  start: number
}

interface Reply extends Exchange {
  resolution: Resolution
  requestId: string
  locale: Locale
  clientAddress: string
  /** The header lines that do not depend on the outcome, and those of the limit of requests. */
  head: string
  limitLines: string
}

export interface ResponderOptions {
  limits: Limits
  proxies: Proxies
  address: PublicAddress
  observe: Observe
  requestIdFor: RequestIdFor
  defaults: { locale: Locale }
}

const corsLines = headerLines(corsHeaders)

/** An error as it is sent, but for what each response has of its own. */
function errorText(error: ErrorDescription, context: ErrorContext) {
  const { status, headers, body: failure } = errorResponse(error, context)
  const body = JSON.stringify(failure)
  const length = Buffer.byteLength(body)
  headers['Content-Length'] = String(length)
  return { address: context.address, status, lines: headerLines(headers), body, length }
}

/** Keeps the errors that are the same for everybody: making one takes as long as looking up a key. */
function createErrorTexts() {
  const kept = new Map<string, ReturnType<typeof errorText>>()
  return (error: ErrorDescription, context: ErrorContext) => {
    if (error.headers) return errorText(error, context)
    const name = `${error.code} ${context.operation} ${context.locale}`
    const known = kept.get(name)
    if (known?.address === context.address) return known
    const made = errorText(error, context)
    kept.set(name, made)
    return made
  }
}

/** Sends what the resolver found, within the limits, and reports it. */
export function createResponder(options: ResponderOptions) {
  const { limits, proxies, address, observe, requestIdFor, defaults } = options
  const findText = createErrorTexts()
  const policyLine = limits.policy === undefined ? '' : headerLines({ 'RateLimit-Policy': limits.policy })

  function begin(exchange: Exchange, resolution: Resolution): Reply {
    const { acceptLanguage, operation, requestId: given } = exchange.request
    const { key } = resolution
    const { sent, logged } = requestIdFor(given)
    const cors = operation.publishable && !isKeySecret(resolution) ? corsLines : ''
    return {
      ...exchange,
      resolution,
      requestId: logged,
      locale: acceptedLocale(acceptLanguage) ?? key?.locale ?? defaults.locale,
      clientAddress: proxies.clientAddress(exchange.incoming),
      head: `X-Content-Type-Options: nosniff\r\n${headerNames.requestId}: ${sent}\r\n${cors}`,
      // A rejected key has no limit.
      limitLines: key ? policyLine : '',
    }
  }

  function report(
    { resolution, request, incoming, response, start, requestId, clientAddress }: Reply,
    code: ErrorCode | null,
  ) {
    const { key, refusedKey, response: found, signer } = resolution
    observe({
      method: request.operation.method,
      route: request.operation.path,
      operation: request.operation.name,
      status: response.statusCode,
      code,
      durationMs: performance.now() - start,
      requestId,
      workspace: key?.workspaceId ?? null,
      keyId: key?.keyId,
      clientAddress: isSecret(key) ? clientAddress : undefined,
      refusedKey,
      rawHeaders: incoming.rawHeaders,
      sentCode: request.parameters.purchase_code,
      validated:
        code === null && typeof found === 'object' && 'validated' in found ? found.validated : undefined,
      signingKeyId: code === null ? signer?.keyId : undefined,
    })
  }

  function write(reply: Reply, status: number, lines: string, body: string | Buffer, length: number) {
    const all = `${reply.head}${reply.limitLines}${lines}`
    // Where each character is one byte, not to have it encoded saves a tenth of the response.
    sendResponse(reply.response, status, all, body, body.length === length ? 'latin1' : 'utf8')
  }

  function sendError(reply: Reply, error: ErrorDescription) {
    const { request, incoming, locale } = reply
    const context = { operation: request.operation.name, locale, address: address.of(incoming) }
    const { status, lines, body, length } = findText(error, context)
    // It names the limit that it is over.
    if (error.headers) reply.limitLines = ''
    write(reply, status, lines, body, length)
    report(reply, error.code)
  }

  /** Counts an error that someone who guesses makes: over the limit it becomes a 429. */
  function sendCounted(reply: Reply, code: ErrorCode) {
    const { resolution, request, clientAddress } = reply
    return mapMaybeAsync(
      limits.failure(code, resolution.key, clientAddress, request.parameters.purchase_code),
      (result) => sendError(reply, result && !result.allowed ? overLimit(result) : { code }),
    )
  }

  function sendSuccess(reply: Reply, found: SuccessBody | List) {
    const { request, locale } = reply
    const { signer } = reply.resolution
    const encoding = 'bytes' in found ? encodingFor(request.acceptEncoding, found.bytes.length) : 'identity'
    const tag = request.operation.method === 'GET' ? found.tag : undefined
    const { ifNoneMatch } = request
    const { status, headers } = successHead({ locale, encoding, tag, ifNoneMatch })
    if (signer && 'validated' in found && found.validated)
      headers[headerNames.pass] = signer.sign(found.validated)
    if (status === 304) return write(reply, status, headerLines(headers), '', 0)
    const send = (body: string | Buffer, length: number) => {
      headers['Content-Length'] = String(length)
      write(reply, status, headerLines(headers), body, length)
    }
    if ('body' in found) return send(found.body, found.length)
    return mapMaybeAsync(encodeList(found, encoding), (bytes) => send(bytes, bytes.length))
  }

  return {
    /** Whether the routes have to respond, because they compress a body that is larger than usual. */
    isLarge: (request: FastPathRequest, { response }: Resolution) =>
      typeof response === 'object' &&
      'body' in response &&
      encodingFor(request.acceptEncoding, response.length) !== 'identity',

    respond(exchange: Exchange, resolution: Resolution): void | Promise<void> {
      const reply = begin(exchange, resolution)
      const { key, response } = resolution
      return mapMaybeAsync(key && limits.request(key.keyId, reply.clientAddress), (result) => {
        if (result) reply.limitLines += `RateLimit: ${result.header}\r\n`
        if (result && !result.allowed) return sendError(reply, overLimit(result))
        if (typeof response === 'string') return sendCounted(reply, response)
        const validated = 'validated' in response ? response.validated : undefined
        const guess = key && validated && limits.success(key, reply.clientAddress, validated.code)
        return mapMaybeAsync(guess, (over) => {
          if (over) return sendError(reply, overLimit(over))
          return mapMaybeAsync(sendSuccess(reply, response), () => report(reply, null))
        })
      })
    },
  }
}
