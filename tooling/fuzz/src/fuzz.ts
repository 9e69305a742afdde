import type { Coverage } from './coverage.ts'
import { mutate } from './mutate.ts'
import type { Random } from './random.ts'
import { shrink } from './shrink.ts'

export interface Target {
  /** The first inputs. */
  seeds: readonly Buffer[]
  /** Words of the target's language. */
  tokens: readonly string[]
  /** In bytes. */
  maxLength: number
  /** Changes an input by the rules of its format. */
  change?: (input: Buffer, random: Random) => Buffer
  /** Corrects what any change breaks, such as a length. */
  repair?: (input: Buffer, random: Random) => Buffer
  /** Throws if the target handles the input wrongly. */
  run: (input: Buffer) => Promise<void>
  close: () => Promise<void>
}

export interface Finding {
  input: Buffer
  message: string
}

export interface FuzzOptions {
  target: Target
  corpus: readonly Buffer[]
  coverage: Coverage
  random: Random
  isDone: () => boolean
  /** Called before each input. */
  onInput?: (input: Buffer) => void
  timeoutMs?: number
  maxFindings?: number
}

const maxMessageLength = 2000

/** An input that hangs takes its whole time each time. */
const maxShrinkMs = 60_000

/** Findings whose messages differ in numbers and quoted texts alone are the same. */
const kindOf = (message: string) => message.replace(/\n[\s\S]*/, '').replace(/\d+|"[^"]*"|'[^']*'/g, '…')

const messageOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).slice(0, maxMessageLength)

/** Runs an input; returns the problem. */
const createRunner =
  ({ target, onInput, timeoutMs = 10_000 }: FuzzOptions) =>
  async (input: Buffer): Promise<string | undefined> => {
    onInput?.(input)
    const { promise: timeout, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error(`took more than ${timeoutMs} ms`)), timeoutMs)
    try {
      await Promise.race([target.run(input), timeout])
      return undefined
    } catch (error) {
      return messageOf(error)
    } finally {
      clearTimeout(timer)
    }
  }

/** Half of the time a recent input, because those lead further. */
const pickInput = (inputs: readonly Buffer[], random: Random) =>
  random.pick(random.chance(0.5) ? inputs.slice(-Math.ceil(inputs.length / 8)) : inputs)

function nextInput(inputs: readonly Buffer[], { target, random }: FuzzOptions): Buffer {
  const { tokens, maxLength, change, repair } = target
  const input = pickInput(inputs, random)
  const changed =
    change && random.chance(0.5)
      ? change(input, random)
      : mutate(input, { random, tokens, maxLength, other: () => random.pick(inputs) })
  return repair && random.chance(0.8) ? repair(changed, random) : changed
}

/** Tries input after input. Those that reach new code, or reach code another number of times, are kept and mutated further. */
export async function fuzz(options: FuzzOptions) {
  const { target, corpus, coverage, isDone, maxFindings = 5 } = options
  const problemOf = createRunner(options)
  const kept: Buffer[] = []
  const findings: Finding[] = []
  const kinds = new Set<string>()
  let runs = 0

  async function addFinding(input: Buffer, message: string) {
    const kind = kindOf(message)
    if (kinds.has(kind)) return
    kinds.add(kind)
    const end = Date.now() + maxShrinkMs
    const smallest = await shrink(input, async (shorter) => {
      if (Date.now() > end) return false
      const problem = await problemOf(shorter)
      return problem !== undefined && kindOf(problem) === kind
    })
    findings.push({ input: smallest, message: (await problemOf(smallest)) ?? message })
  }

  async function attempt(input: Buffer) {
    coverage.reset()
    runs++
    const problem = await problemOf(input)
    if (problem !== undefined) await addFinding(input, problem)
    else if (coverage.takeNew({ classes: true }) > 0) kept.push(input)
  }

  const isEnough = () => isDone() || findings.length >= maxFindings
  for (const input of [...corpus, ...target.seeds]) if (!isEnough()) await attempt(input)
  while (!isEnough()) await attempt(nextInput(kept.length ? kept : [Buffer.alloc(0)], options))
  return { runs, findings, kept, ...coverage.stats() }
}

/** Inputs of the corpus are small enough to be read. */
const maxCorpusInput = 4096

/** The shortest inputs that together reach everything that all of them reach. */
export async function minimizeCorpus(inputs: readonly Buffer[], options: FuzzOptions): Promise<Buffer[]> {
  const { coverage } = options
  const problemOf = createRunner(options)
  const needed: Buffer[] = []
  const small = inputs.filter(({ length }) => length <= maxCorpusInput)
  coverage.forget()
  for (const input of small.toSorted((a, b) => a.length - b.length)) {
    coverage.reset()
    if ((await problemOf(input)) === undefined && coverage.takeNew({ classes: false }) > 0) needed.push(input)
  }
  return needed
}
