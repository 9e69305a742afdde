import type { Purchase, Shape } from '@saleproof/schema'
import { createGuard, type GuardDenied, type GuardOptions, type GuardRequest } from '../guard.ts'
import { check, isFunction } from '../options.ts'

/** What a guard needs of a request of Node.js, Express, Koa or Fastify. */
export interface NodeRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** What a guard needs of a response of Node.js. */
export interface NodeResponse {
  statusCode: number
  setHeader(name: string, value: string): unknown
  appendHeader(name: string, value: string): unknown
  end(body: string): unknown
  once(event: 'close', listener: () => void): unknown
}

/** The options of `createGuard`, with `readCode` for the framework, and with `onDenied`, as the guard itself answers. */
export interface NodeGuardOptions<S extends Shape = Shape, R extends NodeRequest = NodeRequest>
  extends Omit<GuardOptions<S>, 'readCode'> {
  /** Reads the code from a request of the framework, as in `createGuard`. */
  readonly readCode?: ((request: R) => unknown) | undefined
  /**
   * Called for each request that is denied. Gives the response, or nothing for that of the decision.
   *
   * @example
   * onDenied: (decision) => Response.json({ message: explain(decision, 'pt') }, decision.response())
   */
  readonly onDenied?:
    | ((decision: GuardDenied, request: R) => Response | undefined | Promise<Response | undefined>)
    | undefined
}

interface WrappedRequest<R> extends GuardRequest {
  readonly request: R
}

function readHeader({ headers }: NodeRequest, name: string): string | null {
  const value = headers[name.toLowerCase()]
  return (Array.isArray(value) ? value.join(', ') : value) ?? null
}

/** The purchase, or the answer to a request that is denied. */
interface Decided<S extends Shape> {
  readonly purchase?: Purchase<S>
  readonly answer?: Response
}

/** Decides about a request; neither way when the client closed the connection meanwhile. */
function createDecide<S extends Shape, R extends NodeRequest>({
  readCode,
  onDenied,
  ...options
}: NodeGuardOptions<S, R>) {
  if (readCode) check('readCode', readCode, isFunction)
  if (onDenied) check('onDenied', onDenied, isFunction)
  const guard = createGuard<S, WrappedRequest<R>>({
    ...options,
    readCode: readCode && (({ request }) => readCode(request)),
  })
  return async (request: R, response: NodeResponse): Promise<Decided<S>> => {
    const closed = new AbortController()
    response.once('close', () => closed.abort())
    const headers = { get: (name: string) => readHeader(request, name) }
    try {
      const decision = await guard({ request, headers, signal: closed.signal })
      if (decision.allowed) return { purchase: decision.purchase }
      return { answer: (await onDenied?.(decision, request)) ?? decision.response() }
    } catch (error) {
      if (closed.signal.aborted) return {}
      throw error
    }
  }
}

/**
 * Guards Express or Connect: puts the purchase on `request.purchase`, or answers 401 (no code), 403 (invalid) or 503 (unknown). An
 * error of `readCode` goes to `next`. For TypeScript, declare `purchase` on `Express.Request`, as the README does.
 *
 * @example
 * app.use('/download', expressGuard({ gate, itemId: 101 }))
 */
export function expressGuard<S extends Shape = Shape, R extends NodeRequest = NodeRequest>(
  options: NodeGuardOptions<S, R>,
) {
  const decide = createDecide(options)
  return (
    request: R & { purchase?: Purchase<S> },
    response: NodeResponse,
    next: (error?: unknown) => void,
  ) => {
    decide(request, response)
      .then(async ({ purchase, answer }) => {
        if (answer) await send(answer, response)
        if (!purchase) return
        request.purchase = purchase
        next()
      })
      .catch(next)
  }
}

function copyHeaders(answer: Response, response: NodeResponse): void {
  for (const [name, value] of answer.headers) {
    // Each cookie is a header of its own, and the program may have set others.
    if (name === 'set-cookie') response.appendHeader(name, value)
    else response.setHeader(name, value)
  }
}

async function send(answer: Response, response: NodeResponse): Promise<void> {
  response.statusCode = answer.status
  copyHeaders(answer, response)
  response.end(await answer.text())
}

/** What a guard needs of the context of Koa. */
export interface KoaContext<R extends NodeRequest = NodeRequest> {
  readonly request: R
  readonly res: NodeResponse
  readonly state: { purchase?: unknown }
  status: number
  body: unknown
}

/**
 * Guards Koa: puts the purchase on `context.state.purchase`, or answers like {@link expressGuard}. `readCode` gets `context.request`.
 *
 * @example
 * app.use(koaGuard({ gate, itemId: 101 }))
 */
export function koaGuard<S extends Shape = Shape, R extends NodeRequest = NodeRequest>(
  options: NodeGuardOptions<S, R>,
) {
  const decide = createDecide(options)
  return async (context: KoaContext<R>, next: () => Promise<unknown>) => {
    const { purchase, answer } = await decide(context.request, context.res)
    if (purchase) {
      context.state.purchase = purchase
      await next()
    }
    if (!answer) return
    context.status = answer.status
    copyHeaders(answer, context.res)
    context.body = await answer.text()
  }
}

/** What a guard needs of a reply of Fastify. */
export interface FastifyReply {
  readonly raw: NodeResponse
  code(status: number): unknown
  header(name: string, value: string): unknown
  send(body: string): unknown
  hijack(): unknown
}

/**
 * Guards Fastify, as the hook `onRequest`, or `preHandler` where `readCode` reads the body: puts the purchase on `request.purchase`,
 * or answers like {@link expressGuard}. For TypeScript, declare `purchase` on `FastifyRequest`, as `examples/fastify.ts` does.
 *
 * @example
 * app.addHook('onRequest', fastifyGuard({ gate, itemId: 101 }))
 */
export function fastifyGuard<S extends Shape = Shape, R extends NodeRequest = NodeRequest>(
  options: NodeGuardOptions<S, R>,
) {
  const decide = createDecide(options)
  return async (request: R & { purchase?: Purchase<S> }, reply: FastifyReply) => {
    const { purchase, answer } = await decide(request, reply.raw)
    if (purchase) {
      request.purchase = purchase
      return
    }
    if (!answer) {
      // Without this Fastify would run the handler for a client that has gone.
      reply.hijack()
      return reply
    }
    reply.code(answer.status)
    for (const [name, value] of answer.headers) reply.header(name, value)
    return reply.send(await answer.text())
  }
}
