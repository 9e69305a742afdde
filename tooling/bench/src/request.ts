import { once } from 'node:events'
import { type Agent, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface Response {
  status: number
  type: string
  body: Buffer
}

/** Sends one request of a scenario and reads the whole response. Without an agent it takes a connection of its own. */
export async function send(port: number, text: string, agent: Agent | false = false): Promise<Response> {
  const [head = '', body] = text.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const [method, path] = line.split(' ')
  const headers = Object.fromEntries(fields.map((field) => field.split(': ')))
  const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }).end(body)
  const [response]: IncomingMessage[] = await once(sent, 'response')
  return {
    status: response?.statusCode ?? 0,
    type: response?.headers['content-type'] ?? '',
    body: response ? await buffer(response) : Buffer.alloc(0),
  }
}
