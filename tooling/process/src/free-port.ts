import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** For programs that do not choose a port by themselves. Systems give others to connections, which would take it meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').catch(() => undefined)
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
