import type { Server } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'

/** How long to look for a moment without callers. */
const quietWithinMs = 250
/** A turn of the event loop in which nothing was done but looking for new connections. */
const quietTurnMs = 0.1

/**
 * Waits until all are accepted who have connected. The system cuts those who still wait when the socket is closed: it has to be right
 * after this.
 */
export async function untilQuiet(server: Server) {
  let accepted = 0
  const count = () => void accepted++
  server.on('connection', count)
  const end = performance.now() + quietWithinMs
  await turn()
  for (let before = -1; before !== accepted && performance.now() < end; ) {
    const began = performance.now()
    before = accepted
    await turn()
    if (performance.now() - began > quietTurnMs) before = -1
  }
  server.off('connection', count)
}
