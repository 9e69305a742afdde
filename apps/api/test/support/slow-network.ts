import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A connection through the network: how often its client has sent something after an answer, and all that it has sent. */
interface Connection {
  roundTrips: number
  sent: string
}

/** A network that takes so many milliseconds for each way to a server, and counts the round trips. */
export async function startSlowNetwork(target: number, delayMs: number) {
  const connections: Connection[] = []
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    const connection: Connection = { roundTrips: 0, sent: '' }
    connections.push(connection)
    let isAnswered = true
    near.on('data', (bytes) => {
      if (isAnswered) connection.roundTrips++
      isAnswered = false
      connection.sent += bytes.toString('latin1')
      setTimeout(() => far.write(bytes), delayMs)
    })
    far.on('data', (bytes) => {
      setTimeout(() => {
        isAnswered = true
        near.write(bytes)
      }, delayMs)
    })
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket.setNoDelay(true))
      socket.on('error', () => {})
      socket.on('close', () => other.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}
