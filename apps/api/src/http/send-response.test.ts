import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { headerLines, sendResponse } from './send-response.ts'

/** The bytes of the responses to requests on one connection, which the last of them ends. */
async function bytesOf(requests: number, respond: RequestListener): Promise<string> {
  const server = createServer({ keepAliveTimeout: 65_000 }, respond).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  for (let left = requests; left > 0; left--)
    socket.write(`GET / HTTP/1.1\r\nHost: a\r\n${left === 1 ? 'Connection: close\r\n' : ''}\r\n`)
  return (await text(socket)).replace(/^Date: .{29}\r$/gm, 'Date\r')
}

const headers = { 'Content-Type': 'text/plain', 'X-Code': 'a' }

test.each([
  ['é as text', 'é'.repeat(3000), 'utf8' as const, 6000],
  ['text of one byte a character', 'plain', 'latin1' as const, 5],
  ['bytes', Buffer.from('plain'), undefined, 5],
])('sends %s as Node.js would', async (_, body, encoding, length) => {
  for (const status of [200, 404, 503]) {
    const all = { ...headers, 'Content-Length': String(length) }
    const sent = await bytesOf(3, (_request, response) =>
      sendResponse(response, status, headerLines(all), body, encoding),
    )
    const expected = await bytesOf(3, (_request, response) => {
      response.writeHead(status, all).end(body, encoding ?? 'utf8')
    })
    expect(sent).toBe(expected)
    expect(sent.match(/^Keep-Alive: timeout=65\r$/gm)).toHaveLength(2)
  }
})
