import type { IncomingMessage } from 'node:http'

/** What a guard needs of a request of Node.js: its headers. */
export function webRequest({ headersDistinct }: IncomingMessage): Request {
  const headers = new Headers()
  for (const [name, values] of Object.entries(headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  return new Request('http://localhost', { headers })
}
