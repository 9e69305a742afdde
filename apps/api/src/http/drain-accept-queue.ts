import type { Server } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

const timeoutMs = 250
/** A turn of the event loop in which nothing was done but to look for new connections is shorter. */
const quietTurnMs = 0.1

/** Accepts every client that has connected: the system cuts off those that still wait when the socket is closed, right after this. */
export async function drainAcceptQueue(server: Server) {
  let accepted = 0
  const count = () => void accepted++
  server.on('connection', count)
  const end = performance.now() + timeoutMs
  await nextTurn()
  for (let before = -1; before !== accepted && performance.now() < end; ) {
    const began = performance.now()
    before = accepted
    await nextTurn()
    if (performance.now() - began > quietTurnMs) before = -1
  }
  server.off('connection', count)
}
