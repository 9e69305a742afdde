import { type ServerResponse, STATUS_CODES } from 'node:http'

/** Node's own: the head of the response, once it is made, and the timeout that it names. send-response.test.ts fails where they go. */
type NodeResponse = ServerResponse & { _header: string; _keepAliveTimeout: number }

let second = 0
let date = ''

function dateNow(): string {
  const now = Date.now()
  if (Math.floor(now / 1000) === second) return date
  second = Math.floor(now / 1000)
  date = new Date(now).toUTCString()
  return date
}

/** Headers as the lines of a head. */
export function headerLines(headers: Readonly<Record<string, string>>): string {
  let lines = ''
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`
  return lines
}

/**
 * Sends a response, its head in the same write as its body. The lines have to be known to be headers: `writeHead` checks each name and
 * value, which takes a tenth of the time of a request.
 */
export function sendResponse(
  response: ServerResponse,
  status: number,
  lines: string,
  body: string | Buffer,
  encoding: 'latin1' | 'utf8' = 'utf8',
) {
  if (!response.shouldKeepAlive) {
    const headers = Array.from(lines.matchAll(/(.+?): (.*)\r\n/g), ([, name, value]) => [name, value])
    return void response.writeHead(status, Object.fromEntries(headers)).end(body, encoding)
  }
  response.statusCode = status
  const own = response as NodeResponse
  const idleSeconds = Math.floor(own._keepAliveTimeout / 1000)
  own._header = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}Date: ${dateNow()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${idleSeconds}\r\n\r\n`
  response.end(body, encoding)
}
