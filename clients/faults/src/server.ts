import { readFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { behindGate } from './behind-gate.ts'
import { type Rendered, render } from './render.ts'
import { onRequest, type Request, readCode } from './request.ts'
import { createRuns } from './runs.ts'
import { send } from './send.ts'
import type { FaultTable } from './table.ts'

export type * from './table.ts'

/** clients/faults.json, and its faults behind a gate. */
export function readFaultTable(): FaultTable {
  const text = readFileSync(new URL('../../faults.json', import.meta.url), 'utf8')
  const table: FaultTable = JSON.parse(text)
  return { ...table, cases: table.cases.flatMap((fault) => [fault, behindGate(table, fault) ?? []].flat()) }
}

type Ports = Readonly<Record<'http' | 'tls' | 'silent' | 'closing' | 'resetting', number>>

/** Where a case's client connects to. */
const toOrigins = ({ http, tls, silent, closing, resetting }: Ports): Readonly<Record<string, string>> => ({
  http: `http://127.0.0.1:${http}`,
  silent: `http://127.0.0.1:${silent}`,
  closing: `http://127.0.0.1:${closing}`,
  resetting: `http://127.0.0.1:${resetting}`,
  refused: `http://[::1]:${http}`,
  tls: `https://localhost:${tls}`,
  'tls-silent': `https://localhost:${silent}`,
  'tls-plain': `https://localhost:${http}`,
  'tls-closing': `https://localhost:${closing}`,
  'unknown-host': 'https://saleproof.invalid',
  'plain-unknown-host': 'http://saleproof.invalid',
  unroutable: 'https://192.0.2.1',
})

function createResponder(table: FaultTable) {
  const runs = createRuns(table)
  const json = (body: unknown) => render(table, { json: body }, '')

  const start = (name: string | null, origins: ReturnType<typeof toOrigins>) => {
    const id = runs.start(name)
    const fault = runs.get(id)?.fault
    const { apiKey, code, itemId } = table
    const baseUrl = `${origins[fault?.connect ?? 'http']}/run/${id}`
    const options = { ...table.options, ...fault?.options }
    return { fault, baseUrl, control: `${origins.http}/control/${id}`, apiKey, code, itemId, options }
  }

  return (request: Request, origins: ReturnType<typeof toOrigins>): Rendered => {
    const { pathname, searchParams } = request.url
    const [, area, id, what, step] = pathname.split('/')
    if (area === 'table') return json(table)
    if (area === 'start') return json(start(searchParams.get('case'), origins))
    const run = runs.get(id)
    if (area === 'run' && run) return runs.respond(run, request)
    if (area === 'control' && run) {
      if (what === 'step') runs.setStep(run, Number(step))
      return json({ requests: run.requests, peak: run.peak })
    }
    // Where a redirect leads to, everything is valid: a client that follows it lets everyone in.
    return render(table, 'valid', readCode(request.body) || table.code)
  }
}

const certificate = (name: string) =>
  readFileSync(new URL(`../certificates/self-signed.${name}.pem`, import.meta.url))

/** Listens on a free port of this machine, and returns it. */
export const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return address.port
}

/**
 * Starts the server of the faults on free ports of this machine; clients/README.md describes its URLs. Any number of clients may go
 * through any number of cases at once.
 */
export async function startFaultServer(table: FaultTable = readFaultTable()) {
  const sockets = new Set<Socket>()
  const respond = createResponder(table)
  let origins: ReturnType<typeof toOrigins> = {}

  const track = (handle: (socket: Socket) => void) => (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    handle(socket)
  }
  const talk = track((socket) =>
    onRequest(socket, (request) => {
      try {
        send(socket, respond(request, origins))
      } catch (error) {
        send(socket, render(table, { status: '500 Mistake in the table', body: String(error) }, ''))
      }
    }),
  )

  const tls = createTlsServer({ key: certificate('key'), cert: certificate('cert') }, talk)
  tls.on('tlsClientError', () => {})
  // The sockets below TLS, which a client that goes away leaves open.
  tls.on('connection', (socket: Socket) => track(() => {})(socket))
  const servers = {
    http: createServer(talk),
    tls,
    silent: createServer(track(() => {})),
    closing: createServer(track((socket) => socket.destroy())),
    resetting: createServer(track((socket) => socket.resetAndDestroy())),
  }
  origins = toOrigins({
    http: await listen(servers.http),
    tls: await listen(servers.tls),
    silent: await listen(servers.silent),
    closing: await listen(servers.closing),
    resetting: await listen(servers.resetting),
  })

  return {
    url: origins.http ?? '',
    close() {
      for (const socket of sockets) socket.destroy()
      for (const server of Object.values(servers)) server.close()
    },
  }
}
