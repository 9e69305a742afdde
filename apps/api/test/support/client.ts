import { Agent, request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
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

/** What came over the wire in answer to a request. */
export interface Received {
  status: number
  /** By name in lower case. */
  headers: Record<string, string>
  /** Name, value, name, value, as they came. */
  rawHeaders: readonly string[]
  /** Not uncompressed. */
  bytes: Buffer
}

const longestWaitMs = 60_000

/** Sends a request on a connection of its own, or on one of an agent, adding nothing to it. */
export function receive(
  url: string,
  { method = 'GET', path, headers = {}, body }: Sent,
  agent: Agent | false = false,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, path, headers, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers as Record<string, string>,
          rawHeaders: response.rawHeaders,
          bytes: Buffer.concat(chunks),
        }),
      )
    })
    request.setTimeout(longestWaitMs, () => request.destroy(new Error('no answer for a minute')))
    request.on('error', reject)
    request.end(body)
  })
}

/** Sends a request as `receive` does. Every answer is checked against the OpenAPI document. */
export async function send(url: string, sent: Sent, agent: Agent | false = false): Promise<Answer> {
  const { method = 'GET', path } = sent
  const { status, headers, bytes } = await receive(url, sent, agent)
  const answer = answerOf(status, headers, bytes, method)
  checkAgainstOpenApi({ method, path: pathOf(path) }, answer)
  return answer
}

/** Sends many requests over connections that are kept, as a proxy does; nothing of the answers is checked. */
export function keepConnections(url: string, count = Number.POSITIVE_INFINITY) {
  const agent = new Agent({ keepAlive: true, maxSockets: count })
  const ask = (sent: Sent) => receive(url, sent, agent)

  /** Asks all, as many at a time as there are connections; the answers are in the order of the requests. */
  async function askAll(requests: readonly Sent[]): Promise<Received[]> {
    const answers: Received[] = []
    const rest = requests.entries()
    const worker = async () => {
      for (const [index, sent] of rest) answers[index] = await ask(sent)
    }
    await Promise.all(Array.from({ length: Math.min(count, 64) }, worker))
    return answers
  }

  return { ask, askAll, close: () => agent.destroy() }
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

/** Asks one service over connections that are kept, for answers to be compared. */
export function createWire(url: string) {
  const connections = keepConnections(url)
  return {
    async ask(sent: Sent): Promise<WireAnswer> {
      const { status, rawHeaders, bytes } = await connections.ask(sent)
      return { status, headers: visibleHeaders(rawHeaders, sent), bytes: bytes.toString('latin1') }
    },
    close: connections.close,
  }
}

export type Wire = ReturnType<typeof createWire>

const pathOf = (target: string) => target.split('?', 1)[0]!

/**
 * Writes bytes on a new connection and gives everything that comes back until the service closes it. With `finished` the connection is
 * half closed after that, and what breaks it off is no error.
 */
export async function exchangeBytes(
  url: string,
  bytes: string | Uint8Array,
  finished?: (client: Socket) => Promise<void>,
): Promise<Buffer> {
  const { hostname, port } = new URL(url)
  const chunks: Buffer[] = []
  const client = connect({ host: hostname, port: Number(port), allowHalfOpen: finished !== undefined })
  let failure: Error | undefined
  client.on('data', (chunk) => chunks.push(chunk))
  client.on('end', () => client.destroy())
  client.on('error', (error) => {
    failure = error
  })
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
  client.once('connect', () => client.write(bytes))
  if (finished) {
    await new Promise<void>((resolve) => client.once('connect', resolve).once('close', resolve))
    await finished(client)
    client.end()
  }
  await closed
  if (failure && !finished && chunks.length === 0) throw failure
  return Buffer.concat(chunks)
}

export const exchange = async (url: string, bytes: string | Uint8Array) =>
  (await exchangeBytes(url, bytes)).toString()

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
