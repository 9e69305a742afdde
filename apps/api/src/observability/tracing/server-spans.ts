import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_NETWORK_PROTOCOL_VERSION,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_URL_PATH,
  ATTR_URL_SCHEME,
} from '@opentelemetry/semantic-conventions'
import type { RequestEvent } from '../../http/request-event.ts'

type Handle = (incoming: IncomingMessage, response: ServerResponse) => void

interface Exchange {
  span: Span
  context: Context
  incoming: IncomingMessage | undefined
  observed: boolean
  closed: boolean
}

/** Any other method becomes `_OTHER`: clients may write anything there. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])
const knownVersions = new Set(['1.0', '1.1'])

const knownMethod = (method: string | null | undefined) =>
  knownMethods.has(method ?? '') ? method! : '_OTHER'

/** Takes only the ids of trace and span from clients: `tracestate` and baggage are free text. */
const traceparent: TextMapGetter<IncomingMessage['headers']> = {
  keys: () => ['traceparent'],
  get: (headers, name) => (name === 'traceparent' ? String(headers.traceparent ?? '') : undefined),
}

function serverAttributes(address: string): Attributes {
  const { protocol, hostname, port } = new URL(address)
  const scheme = protocol.slice(0, -1)
  return {
    [ATTR_URL_SCHEME]: scheme,
    [ATTR_SERVER_ADDRESS]: hostname.replace(/^\[|\]$/g, ''),
    [ATTR_SERVER_PORT]: Number(port) || (scheme === 'https' ? 443 : 80),
  }
}

/** Nothing in these is chosen by a client: paths are those of routes, ids are the service's. */
function toAttributes({ route, status, code, operation, workspace }: RequestEvent): Attributes {
  return {
    [ATTR_HTTP_RESPONSE_STATUS_CODE]: status,
    ...(route && { [ATTR_HTTP_ROUTE]: route }),
    ...(route && !/[:*{]/.test(route) && { [ATTR_URL_PATH]: route }),
    ...(status >= 500 && { [ATTR_ERROR_TYPE]: code ?? String(status) }),
    ...(operation && { 'saleproof.operation': operation }),
    ...(code && { 'saleproof.error_code': code }),
    ...(workspace && { 'saleproof.workspace_id': workspace }),
  }
}

function finish(exchange: Exchange) {
  if (exchange.observed && exchange.closed) exchange.span.end()
}

interface ServerSpansOptions {
  tracer: Tracer
  /** The public address. */
  address: () => string
}

/** One span per request, which continues the client's trace. */
export function createServerSpans({ tracer, address }: ServerSpansOptions) {
  const propagator = new W3CTraceContextPropagator()
  const current = new AsyncLocalStorage<Exchange>()
  let ofServer: Attributes | undefined

  function begin(method: string, incoming: IncomingMessage | undefined): Exchange {
    ofServer ??= serverAttributes(address())
    const parent = incoming ? propagator.extract(ROOT_CONTEXT, incoming.headers, traceparent) : ROOT_CONTEXT
    const version = incoming && knownVersions.has(incoming.httpVersion) ? incoming.httpVersion : undefined
    const attributes: Attributes = {
      ...ofServer,
      [ATTR_HTTP_REQUEST_METHOD]: method,
      ...(version && { [ATTR_NETWORK_PROTOCOL_VERSION]: version }),
    }
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent)
    return { span, context: trace.setSpan(parent, span), incoming, observed: false, closed: false }
  }

  return {
    /** The span of the current request, for child spans. */
    parent: () => current.getStore()?.context,

    around:
      (handle: Handle): Handle =>
      (incoming, response) => {
        const exchange = begin(knownMethod(incoming.method), incoming)
        response.once('close', () => {
          exchange.closed = true
          finish(exchange)
        })
        current.run(exchange, handle, incoming, response)
      },

    /** Adds the response. What the parser rejected never became a request: its span has no duration. */
    observe(event: RequestEvent) {
      const method = knownMethod(event.method)
      const exchange = current.getStore() ?? { ...begin(method, undefined), closed: true }
      const { span } = exchange
      span.setAttributes(toAttributes(event))
      span.setAttribute('saleproof.request_id', event.requestId)
      if (event.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      const name = method === '_OTHER' ? 'HTTP' : method
      span.updateName(event.route ? `${name} ${event.route}` : name)
      exchange.observed = true
      finish(exchange)
    },
  }
}
