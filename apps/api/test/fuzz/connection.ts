import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { exchangeBytes } from '../support/client.ts'

/** A connection as the service sees it. */
interface Served {
  socket: Socket
  requests: IncomingMessage[]
  answered: number
}

/** So many turns of the event loop without anything happening mean that nothing more will by itself. */
const quietTurns = 12

/**
 * Connections to services of this process. Both ends are seen here, so that the end of the input can be sent when there is nothing more
 * to come: sent before, it would break off answers that take a while, and waiting for a while each time would take too long.
 */
export function createConnections() {
  const served = new Map<number, Served>()
  const by = (socket: Socket) => served.get(socket.remotePort ?? 0)

  function onSocket(message: unknown) {
    const { socket } = message as { socket: Socket }
    served.set(socket.remotePort ?? 0, { socket, requests: [], answered: 0 })
  }
  function onRequest(message: unknown) {
    const { request, socket } = message as { request: IncomingMessage; socket: Socket }
    by(socket)?.requests.push(request)
  }
  function onAnswer(message: unknown) {
    const found = by((message as { socket: Socket }).socket)
    if (found) found.answered++
  }
  const channels = {
    'net.server.socket': onSocket,
    'http.server.request.start': onRequest,
    'http.server.response.finish': onAnswer,
  }
  for (const [name, listener] of Object.entries(channels)) subscribe(name, listener)

  /** Waits until the service has read all, and waits for more itself. */
  async function untilQuiet(client: Socket, length: number) {
    let [quiet, before] = [0, '']
    while (!client.destroyed && !client.readableEnded && quiet < quietTurns) {
      await turn()
      const { socket, requests, answered } = served.get(client.localPort ?? 0) ?? {}
      const arrived = socket !== undefined && socket.bytesRead >= length
      const now = [socket?.bytesRead, socket?.bytesWritten, requests?.length, answered].join(' ')
      const answering = requests?.some((request, index) => index >= answered! && request.complete)
      quiet = arrived && !answering && now === before ? quiet + 1 : 0
      before = now
    }
  }

  return {
    /** Writes bytes on a new connection and gives all that comes back. */
    async ask(url: string, bytes: Uint8Array): Promise<Buffer> {
      let localPort = 0
      const received = await exchangeBytes(url, bytes, (client) => {
        localPort = client.localPort ?? 0
        return untilQuiet(client, bytes.length)
      })
      served.delete(localPort)
      return received
    },
    close() {
      for (const [name, listener] of Object.entries(channels)) unsubscribe(name, listener)
    },
  }
}
