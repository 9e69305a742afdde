import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import zlib from 'node:zlib'
import { checkAgainstOpenApi } from './openapi-check.ts'

/** A request as it goes over the wire; a header with a list of values is sent so many times. */
export interface Sent {
  method?: string
  path: string
  headers?: Record<string, string | string[]>
  body?: string | Uint8Array
}

export interface Answer {
  status: number
  /** By name in lower case. */
  headers: Record<string, string>
  /** The body, uncompressed. */
  text: string
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => zlib.gunzipSync(bytes),
  br: (bytes) => zlib.brotliDecompressSync(bytes),
  zstd: (bytes) => zlib.zstdDecompressSync(bytes),
}

function answerOf(status: number, headers: Record<string, string>, bytes: Buffer, method: string): Answer {
  const decode = decoders[headers['content-encoding'] ?? 'identity']!
  const hasBody = method !== 'HEAD' && bytes.length > 0
  return { status, headers, text: hasBody ? decode(bytes).toString() : '' }
}

/**
 * Sends a request on a connection of its own, or on one of an agent, adding nothing to it. Every answer is checked against the OpenAPI
 * document.
 */
export async function send(
  url: string,
  { method = 'GET', path, headers = {}, body }: Sent,
  agent: Agent | false = false,
): Promise<Answer> {
  const answer = await new Promise<Answer>((resolve, reject) => {
    const request = httpRequest(`${url}`, { method, path, headers, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const received = response.headers as Record<string, string>
        resolve(answerOf(response.statusCode!, received, Buffer.concat(chunks), method))
      })
    })
    request.on('error', reject)
    request.end(body)
  })
  checkAgainstOpenApi({ method, path: pathOf(path) }, answer)
  return answer
}

/** Request ids that the service makes begin with a text of their process. */
export const processOf = ({ headers }: Pick<Answer, 'headers'>) => headers['x-request-id']!.split('-', 1)[0]!

/** Sends over one connection, so to one process. */
export type Client = (sent: Sent) => Promise<Answer>

/**
 * So many connections to each process of a service, as clients: those of the first process, those of the second. The system decides who
 * accepts a connection, and on a busy machine it is the same one for long.
 */
export async function connectToEach(url: string, { processes = 2, each = 1 } = {}): Promise<Client[][]> {
  const found = new Map<string, Client[]>()
  const isDone = () =>
    found.size === processes && [...found.values()].every((clients) => clients.length >= each)
  async function open() {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const client = (sent: Sent) => send(url, sent, agent)
    const process = processOf(await client({ path: '/healthz' }))
    const clients = found.get(process) ?? []
    found.set(process, clients)
    if (clients.length < each) clients.push(client)
    else agent.destroy()
  }
  for (const deadline = Date.now() + 60_000; !isDone(); await sleep(20)) {
    if (Date.now() > deadline) throw new Error(`${found.size} of ${processes} processes answered enough`)
    await Promise.all([open(), open(), open(), open()])
  }
  return [...found.values()]
}

const pathOf = (target: string) => target.split('?', 1)[0]!

/** Writes bytes on a new connection and gives everything that comes back until the service closes it. */
export function exchange(url: string, bytes: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ host: hostname, port: Number(port) }, () => void socket.write(bytes))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', (error) => (chunks.length ? undefined : reject(error)))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
  })
}

/** The answers in what came over a connection. */
export function parseAnswers(text: string): Answer[] {
  const answers: Answer[] = []
  let rest = Buffer.from(text)
  while (rest.length) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) throw new Error(`not an answer: ${rest}`)
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString().split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    )
    const status = Number(statusLine.split(' ')[1])
    const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0)
    if (status !== 100) answers.push(answerOf(status, headers, rest.subarray(end + 4, bodyEnd), 'GET'))
    rest = rest.subarray(bodyEnd)
  }
  return answers
}

/** Sends bytes as they are and gives the one answer, checked as any other. */
export async function sendRaw(url: string, bytes: string | Uint8Array): Promise<Answer> {
  const answers = parseAnswers(await exchange(url, bytes))
  if (answers.length !== 1) throw new Error(`${answers.length} answers instead of one`)
  checkAgainstOpenApi({ method: 'raw', path: '' }, answers[0]!)
  return answers[0]!
}
