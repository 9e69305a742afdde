import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { behindGate } from './behind-gate.ts'
import { type Rendered, render } from './render.ts'
import { onRequest, type Request, readCode } from './request.ts'
import type { FaultCase, FaultTable, Response, Script } from './table.ts'

export type * from './table.ts'

/** clients/faults.json, and its faults behind a gate. */
export function readFaultTable(): FaultTable {
  const text = readFileSync(new URL('../../../clients/faults.json', import.meta.url), 'utf8')
  const table: FaultTable = JSON.parse(text)
  return { ...table, cases: table.cases.flatMap((fault) => [fault, behindGate(table, fault) ?? []].flat()) }
}

/** A client that goes through a case: what the server does now, and the requests so far. */
interface Run {
  readonly fault: FaultCase
  script: Script
  /** Requests since the script began. */
  position: number
  requests: number
}

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function send(socket: Socket, { bytes, delayMs = 0, dripMs, then = 'end' }: Rendered) {
  const finish = () => {
    if (then === 'end') socket.end()
    if (then === 'reset') setTimeout(() => socket.resetAndDestroy(), bytes.length ? 20 : 0)
  }
  const drip = (at: number) => {
    if (socket.destroyed) return
    if (at === bytes.length) return finish()
    socket.write(bytes.subarray(at, at + 1))
    setTimeout(drip, dripMs, at + 1)
  }
  setTimeout(() => {
    if (dripMs) return drip(0)
    if (bytes.length) socket.write(bytes)
    finish()
  }, delayMs)
}

function createRuns(table: FaultTable) {
  const runs = new Map<string, Run>()

  const start = (name: string | null): string => {
    const fault = table.cases.find((entry) => entry.name === name)
    if (!fault) throw new Error(`no case "${name}"`)
    const id = String(runs.size + 1)
    runs.set(id, { fault, script: fault.server ?? 'valid', position: 0, requests: 0 })
    return id
  }

  const setStep = (run: Run, step: number) => {
    const script = run.fault.steps?.[step]?.server
    if (script === undefined) throw new Error(`step ${step} has no server`)
    Object.assign(run, { script, position: 0 })
  }

  const next = ({ script, position }: Run): string | Response => {
    const responses = [script].flat()
    return responses[Math.min(position, responses.length - 1)] ?? 'valid'
  }

  return {
    start,
    setStep,
    get: (id = '') => runs.get(id),
    respond(run: Run, request: Request): Rendered {
      const response = next(run)
      run.position += 1
      run.requests += 1
      return render(table, response, readCode(request.body))
    },
  }
}

const certificate = (name: string) =>
  readFileSync(new URL(`../certificates/self-signed.${name}.pem`, import.meta.url))

/**
 * Starts the server of the faults on free ports of this machine; clients/README.md describes its URLs. Any number of clients may go
 * through any number of cases at once.
 */
export async function startFaultServer(table: FaultTable = readFaultTable()) {
  const runs = createRuns(table)
  const sockets = new Set<Socket>()
  const json = (body: unknown) => render(table, { json: body ?? null }, '')

  const track = (handle: (socket: Socket) => void) => (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    handle(socket)
  }

  const control = (id: string | undefined, what: string | undefined, step: string | undefined) => {
    const run = runs.get(id)
    if (run && what === 'step') runs.setStep(run, Number(step))
    return json({ requests: run?.requests })
  }

  const respond = (request: Request): Rendered => {
    const { pathname, searchParams } = request.url
    const [, area, id, what, step] = pathname.split('/')
    if (area === 'table') return json(table)
    if (area === 'start') return json(startOf(runs.start(searchParams.get('case'))))
    if (area === 'control') return control(id, what, step)
    const run = area === 'run' && runs.get(id)
    // Where a redirect leads to, everything is valid: a client that follows it lets everyone in.
    return run ? runs.respond(run, request) : render(table, 'valid', readCode(request.body) || table.code)
  }

  const talk = track((socket) =>
    onRequest(socket, (request) => {
      try {
        send(socket, respond(request))
      } catch (error) {
        send(socket, render(table, { status: '500 Mistake in the table', body: String(error) }, ''))
      }
    }),
  )

  const servers = {
    http: createServer(talk),
    tls: createTlsServer({ key: certificate('key'), cert: certificate('cert') }, talk),
    silent: createServer(track(() => {})),
    closing: createServer(track((socket) => socket.destroy())),
    resetting: createServer(track((socket) => socket.resetAndDestroy())),
  }
  servers.tls.on('tlsClientError', () => {})
  // The sockets below TLS, which a client that goes away leaves open.
  servers.tls.on('connection', (socket: Socket) => track(() => {})(socket))
  const ports = Object.fromEntries(
    await Promise.all(Object.entries(servers).map(async ([name, server]) => [name, await listen(server)])),
  )
  const url = `http://127.0.0.1:${ports.http}`

  function startOf(id: string) {
    const origins: Record<string, string> = {
      http: url,
      silent: `http://127.0.0.1:${ports.silent}`,
      closing: `http://127.0.0.1:${ports.closing}`,
      resetting: `http://127.0.0.1:${ports.resetting}`,
      refused: `http://[::1]:${ports.http}`,
      tls: `https://localhost:${ports.tls}`,
      'tls-silent': `https://localhost:${ports.silent}`,
      'tls-plain': `https://localhost:${ports.http}`,
      'tls-closing': `https://localhost:${ports.closing}`,
      'unknown-host': 'https://saleproof.invalid',
      'plain-unknown-host': 'http://saleproof.invalid',
      unroutable: 'https://192.0.2.1',
    }
    const { apiKey, code, itemId } = table
    const fault = runs.get(id)?.fault
    const options = { ...table.options, ...fault?.options }
    const baseUrl = `${origins[fault?.connect ?? 'http']}/run/${id}`
    return { fault, baseUrl, control: `${url}/control/${id}`, apiKey, code, itemId, options }
  }

  return {
    url,
    close() {
      for (const socket of sockets) socket.destroy()
      for (const server of Object.values(servers)) server.close()
    },
  }
}
