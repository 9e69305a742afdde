import type { IncomingMessage } from 'node:http'

/**
 * Reads a body whose length is known and small, or gives the reason why it cannot be read. Plain listeners, because a reader that is
 * made for any body costs more than the rest of the request.
 */
export function readSmallBody(request: IncomingMessage): Promise<Buffer | Error> {
  return new Promise((resolve) => {
    let body: Buffer | undefined
    request.on('data', (chunk: Buffer) => {
      body = body === undefined ? chunk : Buffer.concat([body, chunk])
    })
    request.on('end', () => resolve(body ?? Buffer.alloc(0)))
    request.on('error', resolve)
    request.on('close', () => resolve(new Error('the connection was closed')))
  })
}
