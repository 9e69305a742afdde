import type { Scenario } from '../load/scenarios.ts'
import { type Response, send } from '../request.ts'
import type { RunningServer } from '../server-process.ts'

const sampleSize = 40

/** Requests spread evenly over all of them. */
export function takeSample(requests: readonly string[]): string[] {
  const step = Math.max(1, Math.floor(requests.length / sampleSize))
  return requests.filter((_, index) => index % step === 0).slice(0, sampleSize)
}

function problemWith(response: Response, expected: Response, { status }: Scenario): string | undefined {
  if (response.status !== status) return `status ${response.status} instead of ${status}`
  if (!response.type.startsWith('application/json')) return `content type "${response.type}"`
  return response.body.equals(expected.body) ? undefined : 'another body'
}

/** Throws unless a server responds like the baseline, byte for byte: a wrong response is not a fast one. */
export async function requireSameResponses(
  baseline: RunningServer,
  server: RunningServer,
  scenario: Scenario,
  requests: readonly string[],
) {
  for (const request of takeSample(requests)) {
    const [expected, response] = await Promise.all([send(baseline.port, request), send(server.port, request)])
    const problem = problemWith(response, expected, scenario)
    if (!problem) continue
    const bodies = [expected, response].map(({ body }) => body.toString().slice(0, 2000))
    throw new Error(
      [`${scenario.name}: ${server.name} responds with ${problem}`, request, ...bodies].join('\n'),
    )
  }
}
