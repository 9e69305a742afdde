import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** An address that leads to a server, and to another one on command, as that of a cluster does. */
export async function startProxy(target: number, host = '127.0.0.1') {
  let port = target
  let dropping = false
  /** Each with the one that it leads to. */
  const sockets = new Map<Socket, Socket>()
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.set(socket, other)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        if (!dropping) other.destroy()
      })
      if (!dropping) socket.pipe(other)
    }
  }).listen(0, host)
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets.keys()) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    /** Leads to another server from now on; who is connected is cut off. */
    moveTo(other: number) {
      port = other
      cut()
    },
    /** Passes nothing on, and closes nothing: the network drops every packet. Gives what lets everything through. */
    swallow() {
      dropping = true
      for (const [socket, other] of sockets) socket.unpipe(other)
      return () => {
        dropping = false
        // One whose other end has gone meanwhile learns of it now.
        for (const [socket, other] of sockets) {
          if (other.destroyed) socket.destroy()
          else socket.pipe(other)
        }
      }
    },
  }
}
