import { type Agent, request } from 'node:http'

export interface Response {
  status: number
  type: string
  body: Buffer
}

/** Sends one request of a scenario and reads the whole response. Without an agent it takes a connection of its own. */
export function send(port: number, text: string, agent: Agent | false = false): Promise<Response> {
  const [head = '', body] = text.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const [method, path] = line.split(' ')
  const headers = Object.fromEntries(fields.map((field) => field.split(': ')))
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? '',
          body: Buffer.concat(chunks),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
