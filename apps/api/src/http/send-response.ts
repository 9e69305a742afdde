import { type ServerResponse, STATUS_CODES } from 'node:http'
import { keepAliveSeconds, setHead } from './node-internals.ts'

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

/** Sends a response, its head in the same write as its body. The lines have to be known to be headers. */
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
  setHead(
    response,
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}Date: ${dateNow()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds(response)}\r\n\r\n`,
  )
  response.end(body, encoding)
}
