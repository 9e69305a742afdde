import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type ClientOptions, createClient } from '../src/index.ts'
import { apiKey } from './records.ts'

/** What the server was sent. */
export interface Received {
  method: string
  path: string
  query: Record<string, string>
  headers: IncomingMessage['headers']
  form: Record<string, string>
}

export interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: unknown
}

export type Script = (
  received: Received,
  count: number,
) => Reply | 'hang' | ((response: ServerResponse) => void)

export async function listen(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A real server on a free port that answers as the script says; a client of it, and what it was sent. */
export async function serve(script: Script) {
  const received: Received[] = []
  const { url, close } = await listen(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
    // A client whose time is over ends its request where it is.
    const sent = await text(request).catch(() => undefined)
    if (sent === undefined) return
    const form = Object.fromEntries(new URLSearchParams(sent))
    const query = Object.fromEntries(searchParams)
    received.push({ method: request.method!, path: pathname, query, headers: request.headers, form })
    const reply = script(received.at(-1)!, received.length)
    if (reply === 'hang') return
    if (typeof reply === 'function') return reply(response)
    const body = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)
    response
      .writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
      .end(body)
  })
  const client = <S extends 'base' | 'extended' = 'base' | 'extended'>(
    options: Partial<ClientOptions<S>> = {},
  ) => createClient<S>({ baseUrl: url, apiKey, maxRetries: 0, timeoutMs: 2_000, ...options })
  return { url, received, client, close, [Symbol.asyncDispose]: close }
}
