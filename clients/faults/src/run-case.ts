import {
  createEnvironment,
  type Environment,
  type Program,
  type Result,
  type Start,
  startProgram,
  type Toolkit,
} from './program.ts'
import type { Expectation, FaultCase, FaultTable, Step } from './table.ts'

export type { Storage, Toolkit } from './program.ts'

// Runs in every runtime: tooling/sdk-runtimes bundles it.

const failure = (thrown: unknown): Result => {
  const { kind, code, message } = Object(thrown)
  return { outcome: kind === 'configuration' ? 'configuration' : 'thrown', error: { kind, code, message } }
}

/** A list holds what is right as well. */
const lacks = (expected: object, found: object) =>
  Object.entries(expected).some(([name, values]) => ![values].flat().includes(Reflect.get(found, name)))

/** Whether a result is not as expected; the details of errors count only where they are the same in every client. */
const differs = ({ error = {}, ...rest }: Expectation, result: Result, details: boolean) =>
  lacks(rest, result) || (details && lacks(error, Object(result.error)))

const brief = ({ outcome, reason, source, count, error }: Result) =>
  JSON.stringify({
    outcome,
    reason,
    source,
    count,
    error: error && { kind: error.kind, code: error.code, message: error.message },
  })

/** A wrong answer, which no lateness explains; grace is the right answer to a late request. */
const isWrong = (expected: Expectation, { outcome, source }: Result) =>
  /^(ok|(in)?valid)$/.test(String(outcome)) &&
  source !== 'grace' &&
  expected.outcome !== undefined &&
  lacks({ outcome: expected.outcome }, { outcome })

const compare = (expected: Expectation, result: Result, details: boolean): string[] => {
  if (!differs(expected, result, details)) return []
  const was = isWrong(expected, result) ? 'was wrongly' : 'was'
  return [`expected ${JSON.stringify(expected)}, ${was} ${brief(result)}`]
}

async function perform({ client, gate }: Program, step: Step, code: string): Promise<Result> {
  const { arguments: given = [], call, itemId } = step
  const options = itemId === undefined ? undefined : { itemId }
  try {
    if (call === undefined) return await (gate ?? { check: client.checkPurchase }).check(code, options)
    const value = await client[call]?.(...given)
    return { outcome: 'ok', ...(Array.isArray(value) && { count: value.length }) }
  } catch (thrown) {
    return failure(thrown)
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function check(program: Program, step: Step, code: string, details: boolean): Promise<string[]> {
  const { expect = {}, eventually, withinMs = Number.POSITIVE_INFINITY } = step
  const start = performance.now()
  const elapsed = () => performance.now() - start
  let result = await perform(program, step, code)
  const tookMs = elapsed()
  while (eventually && differs(expect, result, details) && elapsed() < 15_000) {
    await pause(25)
    result = await perform(program, step, code)
  }
  const problems = compare(expect, result, details)
  if (tookMs > withinMs) problems.push(`took ${Math.round(tookMs)} ms, at most ${withinMs}`)
  return problems
}

async function checkAll(program: Program, step: Step, codes: readonly string[], details: boolean) {
  if (step.concurrent) {
    return (await Promise.all(codes.map((code) => check(program, step, code, details)))).flat()
  }
  const problems: string[] = []
  for (const code of codes) problems.push(...(await check(program, step, code, details)))
  return problems
}

/** What the server of the faults returns; both ends are of this package. */
const read = async <T>(url: string) => (await (await fetch(url)).json()) as T

async function compareRequests({ control }: Environment, step: Step): Promise<string[]> {
  const { requests, peak } = await read<{ requests: number; peak: number }>(control)
  const problems: string[] = []
  if (step.requests !== undefined && requests !== step.requests)
    problems.push(`expected ${step.requests} requests, were ${requests}`)
  if (step.peak !== undefined && peak > step.peak)
    problems.push(`expected at most ${step.peak} requests at once, were ${peak}`)
  return problems
}

/** Changes the environment around the program. */
async function change(
  environment: Environment,
  { advance = 0, server, tamper }: Step,
  index: number,
): Promise<string[]> {
  environment.time += advance
  if (server !== undefined) await read(`${environment.control}/step/${index}`)
  if (tamper) environment.storage.tamper()
  return []
}

async function follow(toolkit: Toolkit, environment: Environment, steps: readonly Step[], details: boolean) {
  const problems: string[] = []
  let program = startProgram(toolkit, environment)
  for (const [index, step] of steps.entries()) {
    const { check: codes, call, forget, peak, requests, restart } = step
    if (restart) program = startProgram(toolkit, environment, step.options)
    else if (forget !== undefined) await program.gate?.forget(forget)
    else {
      const found =
        codes !== undefined || call !== undefined
          ? await checkAll(program, step, [codes ?? environment.code].flat(), details)
          : requests !== undefined || peak !== undefined
            ? await compareRequests(environment, step)
            : await change(environment, step, index)
      problems.push(...found.map((problem) => `step ${index}: ${problem}`))
    }
  }
  return problems
}

/** How a case is run. */
export interface RunOptions {
  /** Compare the details of errors as well: they are those of Node.js. */
  readonly details?: boolean
  /** Other steps than those of the case. */
  readonly steps?: readonly Step[]
}

/** Goes through a case on the server; returns what was wrong. */
export async function runCase(
  toolkit: Toolkit,
  server: string,
  name: string,
  options: RunOptions = {},
): Promise<string[]> {
  const start = await read<Start>(`${server}/start?case=${encodeURIComponent(name)}`)
  const environment = createEnvironment(start, toolkit.createStorage())
  const { code, fault, itemId } = environment
  const { details = false, steps = fault.steps ?? [{ check: code, itemId, expect: fault.expect ?? {} }] } =
    options
  try {
    return await follow(toolkit, environment, steps, details)
  } catch (thrown) {
    // The client refused its options.
    return compare(fault.expect ?? {}, failure(thrown), details)
  }
}

/** Goes through all cases that `isFor` does not leave out, several at a time; what was wrong, by name. */
export async function runCases(
  server: string,
  run: (name: string) => Promise<string[]>,
  isFor: (fault: FaultCase) => boolean = () => true,
): Promise<Record<string, string[]>> {
  const { cases } = await read<FaultTable>(`${server}/table`)
  const waiting = cases.filter(isFor)
  const results: Record<string, string[]> = {}
  const work = async () => {
    for (let fault = waiting.shift(); fault; fault = waiting.shift())
      results[fault.name] = await run(fault.name)
  }
  await Promise.all(Array.from({ length: 12 }, work))
  // On a busy machine one of many at once is late now and then. A wrong answer is wrong even once.
  for (const [name, problems] of Object.entries(results))
    if (problems.length > 0 && !problems.join().includes(', was wrongly ')) results[name] = await run(name)
  return results
}
