import { type Rendered, render } from './render.ts'
import { type Request, readCode } from './request.ts'
import type { FaultCase, FaultTable, Response, Script } from './table.ts'

/** A client that goes through a case. */
export interface Run {
  readonly fault: FaultCase
  /** What the server does now, and how many requests it did it for. */
  script: Script
  position: number
  /** Requests since the case began; without a response so far; at most at one time. */
  requests: number
  open: number
  peak: number
}

function nextResponse({ script, position }: Run): string | Response {
  const responses = [script].flat()
  return responses[Math.min(position, responses.length - 1)] ?? 'valid'
}

export function createRuns(table: FaultTable) {
  const runs = new Map<string, Run>()
  return {
    get: (id = '') => runs.get(id),

    /** Begins a case; returns the id of the run. */
    start(name: string | null): string {
      const fault = table.cases.find((entry) => entry.name === name)
      if (!fault) throw new Error(`no case "${name}"`)
      const id = String(runs.size + 1)
      runs.set(id, { fault, script: fault.server ?? 'valid', position: 0, requests: 0, open: 0, peak: 0 })
      return id
    },

    setStep(run: Run, step: number): void {
      const script = run.fault.steps?.[step]?.server
      if (script === undefined) throw new Error(`step ${step} has no server`)
      Object.assign(run, { script, position: 0 })
    },

    respond(run: Run, request: Request): Rendered {
      const response = nextResponse(run)
      run.position += 1
      run.requests += 1
      run.open += 1
      run.peak = Math.max(run.peak, run.open)
      const onSent = () => {
        run.open -= 1
      }
      return { ...render(table, response, readCode(request.body)), onSent }
    },
  }
}
