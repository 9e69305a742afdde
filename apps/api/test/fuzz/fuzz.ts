import fc from 'fast-check'

// An input is a text of which each character is a byte, so that a counterexample can be read.

export type Change = (input: string) => string

export const fromBytes = (bytes: Buffer) => bytes.toString('latin1')
export const toBytes = (input: string) => Buffer.from(input, 'latin1')

/** Replaces a few bytes by others, by a word of the input's language, or by a part of the input. */
export const byteChange = (tokens: readonly string[]): fc.Arbitrary<Change> =>
  fc
    .record({
      at: fc.nat(),
      removed: fc.nat({ max: 16 }),
      added: fc.oneof(
        fc.constantFrom('', ...tokens),
        fc.uint8Array({ maxLength: 4 }).map((bytes) => fromBytes(Buffer.from(bytes))),
        fc.record({ from: fc.nat(), length: fc.nat({ max: 200 }) }),
      ),
      times: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, fc.nat({ max: 2000 })),
    })
    .map(({ at, removed, added, times }) => (input) => {
      const index = at % (input.length + 1)
      const start = typeof added === 'string' ? 0 : added.from % (input.length + 1)
      const part = typeof added === 'string' ? added : input.slice(start, start + added.length)
      return input.slice(0, index) + part.repeat(times) + input.slice(index + removed)
    })

export const changed = (input: fc.Arbitrary<string>, change: fc.Arbitrary<Change>, maxLength: number) =>
  fc
    .tuple(input, fc.array(change, { maxLength: 6 }))
    .map(([first, changes]) => changes.reduce((text, apply) => apply(text), first).slice(0, maxLength))

/** Set by `pnpm fuzz`. */
const seconds = Number(process.env.FUZZ_SECONDS ?? 0)

export const timeoutMs = 120_000 + seconds * 1000

/** Runs as many inputs as given, or for as long as `pnpm fuzz` says. An input that takes ten seconds is a failure. */
export function checkInputs(
  inputs: fc.Arbitrary<string>,
  check: (input: string) => Promise<void>,
  { numRuns, examples }: { numRuns: number; examples: readonly string[] },
) {
  const property = fc.asyncProperty(inputs, check)
  const endless = { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: seconds * 1000 }
  return fc.assert(property, {
    timeout: 10_000,
    examples: examples.map((input) => [input]),
    ...(seconds > 0 ? endless : { numRuns }),
  })
}
