import { request } from 'node:http'

export interface Answer {
  status: number
  type: string
  body: Buffer
}

/** Sends one request of a load on a connection of its own, and gives the whole answer. */
export function ask(port: number, text: string): Promise<Answer> {
  const [head, body] = text.split('\r\n\r\n')
  const [line, ...fields] = head!.split('\r\n')
  const [method, path] = line!.split(' ')
  const headers = Object.fromEntries(fields.map((field) => field.split(': ')))
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece) => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () => {
        const type = response.headers['content-type'] ?? ''
        resolve({ status: response.statusCode!, type, body: Buffer.concat(pieces) })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
