import { Agent, request as httpRequest } from 'node:http'
import type { Sent } from './client.ts'

/** An answer as it came over the wire, without what differs from one answer to the next: times, counts, a made-up request id. */
export interface WireAnswer {
  status: number
  /** `Name: value`, sorted: the order says nothing. */
  headers: string[]
  /** Not uncompressed, a character for each byte. */
  bytes: string
}

const connectionHeaders = new Set(['date', 'connection', 'keep-alive'])

function visibleHeaders(rawHeaders: readonly string[], { headers = {} }: Sent): string[] {
  const lines: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name, value] = [rawHeaders[index]!, rawHeaders[index + 1]!]
    if (connectionHeaders.has(name.toLowerCase())) continue
    const madeUp = name.toLowerCase() === 'x-request-id' && !('x-request-id' in headers)
    const shown = name === 'RateLimit' ? value.replaceAll(/\d+/g, '…') : value
    lines.push(`${name}: ${madeUp ? /^[A-Za-z0-9._-]{1,64}$/.test(value) : shown}`)
  }
  return lines.sort()
}

export const headerOf = ({ headers }: WireAnswer, name: string) =>
  headers.find((line) => line.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2)

/** Asks one service over connections that are kept: many requests in little time. */
export function createWire(url: string) {
  const agent = new Agent({ keepAlive: true })
  return {
    ask: (sent: Sent) =>
      new Promise<WireAnswer>((resolve, reject) => {
        const { method = 'GET', path, headers = {}, body } = sent
        const request = httpRequest(url, { method, path, headers, agent }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode!,
              headers: visibleHeaders(response.rawHeaders, sent),
              bytes: Buffer.concat(chunks).toString('latin1'),
            }),
          )
        })
        request.on('error', reject)
        request.end(body)
      }),
    close: () => agent.destroy(),
  }
}

export type Wire = ReturnType<typeof createWire>
