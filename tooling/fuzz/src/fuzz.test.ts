import { createInstrumenter } from 'istanbul-lib-instrument'
import { describe, expect, test } from 'vitest'
import { type Coverage, createCoverage } from './coverage.ts'
import { type FuzzOptions, fuzz, type Target } from './fuzz.ts'
import { createRandom } from './random.ts'

/** Throws at the word `Sale`, one branch for each letter. */
const source = `
  export function look(bytes) {
    if (bytes[0] === 0x53) {
      if (bytes[1] === 0x61) {
        if (bytes[2] === 0x6c) {
          if (bytes[3] === 0x65) throw new Error('injected 42')
        }
      }
    }
  }`
const instrumented = createInstrumenter({ esModules: true }).instrumentSync(source, 'look.js')
const module = (text: string) => import(`data:text/javascript,${encodeURIComponent(text)}`)

const target = (run: (input: Buffer) => void): Target => ({
  seeds: [Buffer.from('....'), Buffer.from('........')],
  tokens: [],
  maxLength: 64,
  run: async (input) => run(input),
  close: async () => {},
})

async function search(run: (input: Buffer) => void, coverage: Coverage, more: Partial<FuzzOptions> = {}) {
  let tries = 0
  const isDone = () => ++tries > 60_000
  const options = { target: target(run), corpus: [], coverage, random: createRandom(5), isDone }
  return fuzz({ ...options, maxFindings: 1, ...more })
}

describe('a search', () => {
  test('is guided by coverage and shrinks its findings', async () => {
    const { look } = await module(instrumented)
    const { findings, kept, reached } = await search(look, createCoverage())
    expect(findings).toEqual([{ input: Buffer.from('Sale'), message: 'injected 42' }])
    expect(kept.length).toBeGreaterThan(3)
    expect(reached).toBeGreaterThan(3)
  })

  test('finds nothing without coverage', async () => {
    const { look } = await module(source)
    const { findings, runs } = await search(look, createCoverage())
    expect(findings).toEqual([])
    expect(runs).toBeGreaterThan(50_000)
  })

  test('begins with the corpus', async () => {
    const { look } = await module(source)
    const { findings, runs } = await search(look, createCoverage(), { corpus: [Buffer.from('__Sale')] })
    expect(findings).toEqual([])
    const again = await search(look, createCoverage(), { corpus: [Buffer.from('Sale!')] })
    expect(again.findings.map(({ input }) => String(input))).toEqual(['Sale'])
    expect(again.runs).toBeLessThan(runs)
  })

  test('is the same with the same seed', async () => {
    const inputsOf = async (seed: number) => {
      const inputs: string[] = []
      const onInput = (input: Buffer) => void inputs.push(input.toString('hex'))
      const isDone = () => inputs.length > 500
      await search(() => {}, createCoverage(), { random: createRandom(seed), onInput, isDone })
      return inputs
    }
    expect(await inputsOf(1)).toEqual(await inputsOf(1))
    expect(await inputsOf(1)).not.toEqual(await inputsOf(2))
  })

  test('counts failures that differ in numbers as one', async () => {
    const run = (input: Buffer) => {
      throw new Error(`wrong at ${input.length}`)
    }
    expect((await search(run, createCoverage(), { maxFindings: 2 })).findings).toHaveLength(1)
  })

  test('counts a timeout as a failure', async () => {
    const never = { ...target(() => {}), run: () => new Promise<void>(() => {}) }
    const { findings } = await search(() => {}, createCoverage(), { target: never, timeoutMs: 20 })
    expect(findings[0]?.message).toBe('took more than 20 ms')
  })
})
