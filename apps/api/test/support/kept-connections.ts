import { Agent, request } from 'node:http'
import type { Sent } from './client.ts'

export interface ShortAnswer {
  status: number
  code: string | undefined
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Sends many requests over a few connections that are kept, as a proxy does; nothing but status and headers of an answer is looked at. */
export function keepConnections(url: string, count = 8) {
  const agent = new Agent({ keepAlive: true, maxSockets: count })

  const ask = ({ method = 'GET', path, headers = {}, body }: Sent) =>
    new Promise<ShortAnswer>((resolve, reject) => {
      const sent = request(url, { method, path, headers, agent }, (response) => {
        response.resume()
        const code = response.headers['x-error-code'] as string | undefined
        response.on('end', () => resolve({ status: response.statusCode!, code, headers: response.headers }))
        response.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(body)
    })

  /** Asks all, as many at a time as there are connections; the answers are in the order of the requests. */
  async function askAll(requests: readonly Sent[]): Promise<ShortAnswer[]> {
    const answers: ShortAnswer[] = []
    let next = 0
    const worker = async () => {
      for (let index = next++; index < requests.length; index = next++)
        answers[index] = await ask(requests[index]!)
    }
    await Promise.all(Array.from({ length: count }, worker))
    return answers
  }

  return { ask, askAll, close: () => agent.destroy() }
}
