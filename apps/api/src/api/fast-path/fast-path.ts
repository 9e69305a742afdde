import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { describeCause } from '../../db/errors.ts'
import { stackFrames } from '../../db/stack-frames.ts'
import { keepBody } from '../../http/body.ts'
import { mapMaybeAsync } from '../../rate-limit/map-maybe-async.ts'
import { isComplete, readRequest, takeBody } from './request.ts'
import type { Resolver } from './resolver.ts'
import { createResponder, type Exchange, type ResponderOptions } from './respond.ts'

export interface FastPathOptions extends ResponderOptions {
  resolver: Resolver
  logger: Logger
  /** Whether each response ends its connection: the routes see to that. */
  draining: () => boolean
}

const empty = Buffer.alloc(0)

/**
 * Reads a body whose length is known and small; an error where it cannot be read. Plain listeners, because a general reader costs more
 * than the rest of the request, and no error is made for a connection that closes after the body.
 */
export function readSmallBody(request: IncomingMessage): Promise<Buffer | Error> {
  return new Promise((resolve) => {
    let body: Buffer | undefined
    let done = false
    function end(result: Buffer | Error) {
      done = true
      resolve(result)
    }
    request.on('data', (chunk: Buffer) => {
      body = body === undefined ? chunk : Buffer.concat([body, chunk])
    })
    request.on('end', () => end(body ?? empty))
    request.on('error', end)
    request.on('close', () => {
      if (!done) end(new Error('the connection was closed'))
    })
  })
}

type Handle = (incoming: IncomingMessage, response: ServerResponse) => unknown

/**
 * Responds to usual requests of the operations, first in line. Everything else is for the routes behind it: unusual requests, operations
 * that it does not implement, errors that need an explanation, and requests while the database does not respond. It exists because
 * a request through Koa, router, body parser and Prisma costs ten times what it takes to find and send the response. The rest of the service
 * does not know of it, and responds with the same bytes without it.
 */
export function createFastPath(options: FastPathOptions) {
  const { resolver, logger, address, draining } = options
  const { respond, isLarge } = createResponder(options)
  let responses = 0

  /** Whether it responded. */
  function tryRespond(exchange: Exchange): boolean | Promise<boolean> {
    const { request } = exchange
    if (!isComplete(request)) return false
    return mapMaybeAsync(resolver.find(request), (resolution) => {
      if (!resolution || isLarge(request, resolution)) return false
      return mapMaybeAsync(respond(exchange, resolution), () => true)
    })
  }

  /** Reads the body first, which the routes take from where it is kept. */
  async function tryRespondToPost(exchange: Exchange) {
    const { request, incoming } = exchange
    if (request.body === undefined || request.bodyLength === 0) return false
    const body = await readSmallBody(incoming)
    keepBody(incoming, body)
    return body instanceof Buffer && !draining() && takeBody(request, body) && tryRespond(exchange)
  }

  /** Whether it responded. The routes meet an error as well, and report it; with one after the response they have nothing to do. */
  function respondTo(incoming: IncomingMessage, response: ServerResponse): boolean | Promise<boolean> {
    function hasResponded(error: unknown) {
      if (response.headersSent)
        logger.error({ cause: { ...describeCause(error), frames: stackFrames(error) } }, 'unexpected error')
      return response.headersSent
    }
    try {
      const start = performance.now()
      const request = draining() ? undefined : readRequest(incoming, address.prefix)
      if (!request) return false
      const exchange = { incoming, response, request, start }
      const responded =
        request.operation.method === 'POST' ? tryRespondToPost(exchange) : tryRespond(exchange)
      return responded instanceof Promise ? responded.catch(hasResponded) : responded
    } catch (error) {
      return hasResponded(error)
    }
  }

  return {
    /** In front of the routes, and so of Koa. */
    inFrontOf: (routes: Handle): Handle =>
      function fastPath(incoming, response) {
        return mapMaybeAsync(respondTo(incoming, response), (done) => {
          if (done) responses++
          else routes(incoming, response)
        })
      },
    /** How many requests it responded to, and how many reads that took. */
    stats: () => ({ responses, reads: resolver.reads() }),
    close: resolver.close,
  }
}
