import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createRandom, quantile } from '../statistics.ts'
import { createAnswerReader } from './answer-reader.ts'
import type { Load, LoadResult } from './load.ts'
import { readRequests } from './request-file.ts'

/** Which requests are due: at a steady rate, or, without one, as many as there are free connections. */
export type Schedule = { rate: number | undefined }

interface Connection {
  send: (request: Buffer, due: number) => void
  socket: Socket
}

interface Events {
  answered: (connection: Connection, status: number, due: number) => void
  failed: () => void
}

const lowestRefusal = 400

/** A part of each run that is not counted: the client itself is slow until it is compiled. */
const warmUp = 300

/** How long answers that were due within the run are waited for. */
const patience = 10_000

function open(port: number, { answered, failed }: Events): Connection {
  const read = createAnswerReader()
  let asked = 0
  // One buffer for everything that is read: with a new one for each piece, long lists keep the garbage collector busy.
  const onread = {
    buffer: Buffer.alloc(1 << 18),
    callback(length: number, bytes: Uint8Array) {
      const status = read(Buffer.from(bytes.buffer, bytes.byteOffset, length))
      if (status !== undefined) answered(connection, status, asked)
      return true
    },
  }
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread }).on('error', failed)
  const connection: Connection = {
    socket,
    send(request, due) {
      asked = due
      socket.write(request)
    },
  }
  return connection
}

/** When requests are due from `start` on, in milliseconds: as from independent callers, with exponential pauses. */
function createArrivals(start: number, { rate }: Schedule, seed: number) {
  const random = createRandom(seed)
  let due = start
  return {
    next: () => due,
    advance() {
      if (rate !== undefined) due -= (Math.log(1 - random()) * 1000) / rate
    },
  }
}

/**
 * Sends the requests and takes the times. With a rate, the time of an answer counts from when its request was due, whether or not a
 * connection was free then, and what was due is waited for: a server that stalls does not make its own measurement stall.
 */
export async function runClient(
  { port, file, offset, seconds, connections }: Load,
  schedule: Schedule,
): Promise<LoadResult> {
  const requests = readRequests(file)
  const [free, times]: [Connection[], number[]] = [[], []]
  let [position, refused, failures] = [offset, 0, 0]
  let counted = Number.POSITIVE_INFINITY
  const events: Events = {
    answered(connection, status, due) {
      free.push(connection)
      if (due < counted) return
      times.push(performance.now() - due)
      if (status >= lowestRefusal) refused++
    },
    failed: () => {
      failures++
    },
  }
  const all = Array.from({ length: connections }, () => open(port, events))
  await Promise.all(all.map(({ socket }) => once(socket, 'connect')))
  free.push(...all)

  const start = performance.now()
  counted = start + warmUp
  const end = counted + seconds * 1000
  const arrivals = createArrivals(start, schedule, offset)
  const paced = schedule.rate !== undefined
  const waiting = () => paced && (free.length < all.length || arrivals.next() < end)
  for (let now = start; now < end || (waiting() && now < end + patience); now = performance.now()) {
    while (free.length > 0 && arrivals.next() <= now && arrivals.next() < end) {
      free.pop()!.send(requests.at(position++ % requests.count), paced ? arrivals.next() : now)
      arrivals.advance()
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  const elapsed = (performance.now() - counted) / 1000
  for (const { socket } of all) socket.destroy()
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
  return { requests: times.length, seconds: elapsed, refused, failed: failures, p50, p99 }
}
