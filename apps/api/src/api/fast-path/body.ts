import type { IncomingMessage } from 'node:http'

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
