import { ask } from '../ask.ts'
import type { Cell } from '../load/cells.ts'
import type { RunningServer } from '../server-process.ts'

const samples = 40

/** Requests of a cell, evenly spread over all of them. */
export function sampleOf(requests: readonly string[], count = samples): string[] {
  const step = Math.max(1, Math.floor(requests.length / count))
  return requests.filter((_, index) => index % step === 0).slice(0, count)
}

/** Throws unless a server answers as the floor does, byte for byte: a wrong answer is no faster answer. */
export async function requireSameAnswers(
  floor: RunningServer,
  server: RunningServer,
  cell: Cell,
  requests: readonly string[],
) {
  for (const request of sampleOf(requests)) {
    const [expected, given] = await Promise.all([ask(floor.port, request), ask(server.port, request)])
    const wrong =
      (expected.status !== cell.status && `the floor answers ${expected.status}, not ${cell.status}`) ||
      (given.status !== cell.status && `${server.name} answers ${given.status}, not ${cell.status}`) ||
      (!given.type.startsWith('application/json') &&
        `${server.name} answers with ${given.type || 'no type'}`) ||
      (!given.body.equals(expected.body) && `${server.name} answers with another body than the floor`)
    if (wrong) {
      const bodies = [expected, given].map(({ body }) => body.toString().slice(0, 2000)).join('\n')
      throw new Error(`${cell.name}: ${wrong}\n${request}\n${bodies}`)
    }
  }
}
