import type { Expectation, FaultCase, FaultTable, Step } from './table.ts'

// Runs in every runtime: the programs of tooling/sdk-runtimes bundle it.

type Options = Readonly<Record<string, unknown>>
interface Result {
  readonly outcome?: string
  readonly reason?: string
  readonly source?: string
  readonly count?: number
  readonly error?: { readonly kind?: string; readonly code?: string | undefined; readonly message?: string }
}
type Check = (code: string, options?: Options) => Promise<Result>
interface Client {
  readonly checkPurchase: Check
}
interface Gate {
  readonly check: Check
  readonly forget: (code: string) => Promise<void>
}

/** What outlives a restart of the program. */
export interface Disk {
  /** A store of the gate over what is kept. */
  readonly open: () => unknown
  /** Changes what is kept, as someone with an editor does. */
  readonly tamper: () => void
}

/** The package under test, from its sources or from its tarball. */
export interface Toolkit {
  readonly createClient: (options: never) => object
  readonly createGate: (options: never) => object
  readonly createDisk: () => Disk
}

/** A running program: a client, maybe behind a gate. */
interface Program {
  readonly client: Client & Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>
  readonly gate?: Gate
}

const keyFunctions: Readonly<Record<string, () => string>> = {
  empty: () => '',
  malformed: () => 'not a\nkey',
  throws: () => {
    throw new Error('the vault is closed')
  },
}

function startProgram(toolkit: Toolkit, table: FaultTable, fault: FaultCase, world: World): Program {
  const { keyFunction, ...options } = { ...table.options, ...fault.options }
  const apiKey = keyFunction === undefined ? table.apiKey : keyFunctions[String(keyFunction)]
  const client = toolkit.createClient({ baseUrl: world.baseUrl, apiKey, ...options } as never)
  // The modules under test are typed elsewhere; a wrong method fails the case.
  if (!fault.gate) return { client: client as Program['client'] }
  const { store, ...gateOptions } = fault.gate
  const gate = toolkit.createGate({
    client,
    now: () => world.time,
    ...(store !== undefined && { store: world.disk.open() }),
    ...gateOptions,
  } as never)
  return { client: client as Program['client'], gate: gate as Gate }
}

interface World {
  readonly baseUrl: string
  readonly control: string
  readonly disk: Disk
  time: number
}

const failure = (thrown: unknown): Result => {
  const { kind, code, message } = Object(thrown)
  return { outcome: kind === 'configuration' ? 'configuration' : 'thrown', error: { kind, code, message } }
}

/** What differs; details of errors only where they are the same in every client. */
function differs(expected: Expectation, result: Result, details: boolean): boolean {
  const { error, ...rest } = expected
  const actual: Readonly<Record<string, unknown>> = { ...result }
  const wrong = (wanted: object, found: object) =>
    Object.entries(wanted).some(([name, value]) => Reflect.get(found, name) !== value)
  return wrong(rest, actual) || (details && error !== undefined && wrong(error, Object(result.error)))
}

const brief = ({ outcome, reason, source, count, error }: Result) =>
  JSON.stringify({
    outcome,
    reason,
    source,
    count,
    error: error && { kind: error.kind, code: error.code, message: error.message },
  })

async function perform(program: Program, step: Step, code: string): Promise<Result> {
  const { client, gate } = program
  const options = step.itemId === undefined ? undefined : { itemId: step.itemId }
  try {
    if (step.call === undefined)
      return await (gate ? gate.check(code, options) : client.checkPurchase(code, options))
    const value = await client[step.call]?.(...(step.arguments ?? []))
    return { outcome: 'ok', ...(Array.isArray(value) && { count: value.length }) }
  } catch (thrown) {
    return failure(thrown)
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function check(program: Program, step: Step, code: string, details: boolean): Promise<string[]> {
  const { expect = {}, eventually, withinMs = Number.POSITIVE_INFINITY } = step
  const start = performance.now()
  let result = await perform(program, step, code)
  const tookMs = performance.now() - start
  while (eventually && differs(expect, result, details) && performance.now() - start < 5_000) {
    await pause(25)
    result = await perform(program, step, code)
  }
  if (differs(expect, result, details)) return [`expected ${JSON.stringify(expect)}, was ${brief(result)}`]
  return tookMs > withinMs ? [`took ${Math.round(tookMs)} ms, at most ${withinMs}`] : []
}

async function checkAll(program: Program, step: Step, codes: readonly string[], details: boolean) {
  if (step.concurrent) {
    return (await Promise.all(codes.map((code) => check(program, step, code, details)))).flat()
  }
  const problems: string[] = []
  for (const code of codes) problems.push(...(await check(program, step, code, details)))
  return problems
}

const ask = async (url: string) => (await (await fetch(url)).json()) as Readonly<Record<string, unknown>>

/** Changes the world; `undefined` when the step is a check. */
async function change(world: World, step: Step, index: number): Promise<string[] | undefined> {
  if (step.server !== undefined) {
    await ask(`${world.control}/step/${index}`)
  } else if (step.advance !== undefined) {
    world.time += step.advance
  } else if (step.tamper) {
    world.disk.tamper()
  } else if (step.requests !== undefined) {
    const { requests } = await ask(world.control)
    return requests === step.requests ? [] : [`expected ${step.requests} requests, were ${requests}`]
  } else {
    return undefined
  }
  return []
}

const stepsOf = ({ steps, expect = {} }: FaultCase, { itemId }: FaultTable): readonly Step[] =>
  steps ?? [{ check: '', itemId, expect }]

/** Goes through a case; returns what was wrong. `details`: compare the details of errors as well. */
export async function runCase(
  toolkit: Toolkit,
  table: FaultTable,
  fault: FaultCase,
  server: string,
  details = false,
): Promise<string[]> {
  const urls = await ask(`${server}/start?case=${encodeURIComponent(fault.name)}`)
  const { baseUrl, control } = urls as { baseUrl: string; control: string }
  const time = Date.parse('2026-01-01T00:00:00Z')
  const world: World = { baseUrl, control, disk: toolkit.createDisk(), time }
  const steps = stepsOf(fault, table)
  const problems: string[] = []
  let program: Program
  try {
    program = startProgram(toolkit, table, fault, world)
  } catch (thrown) {
    const expected = steps[0]?.expect ?? {}
    return differs(expected, failure(thrown), details) ? [`creating: ${brief(failure(thrown))}`] : []
  }
  for (const [index, step] of steps.entries()) {
    const { restart, forget } = step
    if (restart) program = startProgram(toolkit, table, fault, world)
    else if (forget !== undefined) await program.gate?.forget(forget)
    else {
      const codes = [step.check ?? ''].flat().map((code) => code || table.code)
      const found = (await change(world, step, index)) ?? (await checkAll(program, step, codes, details))
      problems.push(...found.map((problem) => `step ${index}: ${problem}`))
    }
  }
  return problems
}

/** Goes through all cases, several at a time; the wrong ones by name. */
export async function runCases(
  toolkit: Toolkit,
  server: string,
  { concurrency = 12, details = false } = {},
): Promise<Record<string, string[]>> {
  // The table of the server itself, so that runtimes without files run it.
  const table = (await ask(`${server}/table`)) as unknown as FaultTable
  const waiting = [...table.cases]
  const problems: Record<string, string[]> = {}
  const work = async () => {
    for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
      problems[fault.name] = await runCase(toolkit, table, fault, server, details)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return problems
}
