import type { Socket } from 'node:net'

export interface Request {
  readonly url: URL
  readonly body: string
}

const isWhole = (head: string, body: string) => {
  const [, length] = /^content-length: *(\d+)/im.exec(head) ?? []
  if (length !== undefined) return Buffer.byteLength(body, 'latin1') >= Number(length)
  return !/^transfer-encoding: *chunked/im.test(head) || body.endsWith('0\r\n\r\n')
}

function parse(text: string): Request | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = text.slice(0, end)
  const body = text.slice(end + 4)
  const [, path = '/'] = head.split(' ', 2)
  return isWhole(head, body) ? { url: new URL(path, 'http://faults.test'), body } : undefined
}

/** Reads requests until the connection ends. What is no HTTP, such as the first bytes of TLS, is answered as web servers do. */
export function onRequest(socket: Socket, handle: (request: Request) => void): void {
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    if (!/^[A-Z]/.test(text)) return void socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n')
    const request = parse(text)
    if (!request) return
    text = ''
    handle(request)
  })
}

/** The purchase code of a form or of JSON. */
export function readCode(body: string): string {
  const text = Buffer.from(body, 'latin1').toString()
  if (text.startsWith('{')) return String(JSON.parse(text).purchase_code)
  // A chunked body has the form between its sizes.
  const [, form = ''] = /(purchase_code=[^\r\n]*)/.exec(text) ?? []
  return new URLSearchParams(form).get('purchase_code') ?? ''
}
