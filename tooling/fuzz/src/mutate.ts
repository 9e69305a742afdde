import type { Random } from './random.ts'

export interface MutateOptions {
  random: Random
  /** Words of the target's language: they pass comparisons that random bytes do not. */
  tokens: readonly string[]
  /** Another input of the corpus. */
  other: () => Buffer
  /** In bytes. */
  maxLength: number
}

type Mutation = (input: Buffer, options: MutateOptions) => Buffer

const interestingBytes = [0x00, 0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x5c, 0x7f, 0x80, 0xc0, 0xff]
const interestingNumbers =
  '0 1 -1 9007199254740991 9007199254740992 2147483648 1e309 0.1 1e-7 007 999999999999 1000000000000 99999999999999999999 16384 16385 255 256'.split(
    ' ',
  )

/** A part of an input: not empty, and mostly small. */
function partOf(input: Buffer, random: Random): [from: number, to: number] {
  const from = random.below(input.length + 1)
  const most = random.chance(0.8) ? 16 : input.length
  return [from, Math.min(input.length, from + 1 + random.below(most))]
}

const replaced = (input: Buffer, from: number, to: number, by: Buffer | string) =>
  Buffer.concat([
    input.subarray(0, from),
    typeof by === 'string' ? Buffer.from(by, 'latin1') : by,
    input.subarray(to),
  ])

const tokenOf = ({ random, tokens }: MutateOptions) => (tokens.length ? random.pick(tokens) : '')

function insertBytes(input: Buffer, { random }: MutateOptions): Buffer {
  const at = random.below(input.length + 1)
  const bytes = Array.from({ length: 1 + random.below(4) }, () => random.below(256))
  return replaced(input, at, at, Buffer.from(bytes))
}

const mutations: readonly Mutation[] = [
  // Flip a bit.
  (input, { random }) => {
    const changed = Buffer.from(input)
    const at = random.below(input.length)
    changed.writeUInt8(changed.readUInt8(at) ^ (1 << random.below(8)), at)
    return changed
  },
  // Replace a byte.
  (input, { random }) => {
    const at = random.below(input.length)
    const byte = random.chance(0.5) ? random.pick(interestingBytes) : random.below(256)
    return replaced(input, at, at + 1, Buffer.of(byte))
  },
  // Insert bytes.
  insertBytes,
  // Remove a part.
  (input, { random }) => replaced(input, ...partOf(input, random), ''),
  // Repeat a part, sometimes very often.
  (input, { random, maxLength }) => {
    const [from, to] = partOf(input, random)
    const part = input.subarray(from, to)
    const times = random.chance(0.9) ? 1 : 1 + random.below(maxLength / Math.max(1, part.length))
    return replaced(input, to, to, Buffer.concat(Array.from({ length: times }, () => part)))
  },
  // Copy a part elsewhere.
  (input, { random }) => {
    const [from, to] = partOf(input, random)
    return replaced(input, ...partOf(input, random), input.subarray(from, to))
  },
  // Insert a token, or replace a part by it.
  (input, options) => {
    const at = options.random.below(input.length + 1)
    return replaced(input, at, at, tokenOf(options))
  },
  (input, options) => replaced(input, ...partOf(input, options.random), tokenOf(options)),
  // Replace a part by one of another input.
  (input, { random, other }) => {
    const source = other()
    const [from, to] = partOf(source, random)
    return replaced(input, ...partOf(input, random), source.subarray(from, to))
  },
  // Join the beginning of one input and the end of another.
  (input, { random, other }) => {
    const source = other()
    const at = random.below(input.length + 1)
    return Buffer.concat([input.subarray(0, at), source.subarray(random.below(source.length + 1))])
  },
  // Replace a number.
  (input, { random }) => {
    const numbers = [...input.toString('latin1').matchAll(/\d+(?:\.\d+)?/g)]
    if (numbers.length === 0) return input
    const { index, 0: digits } = random.pick(numbers)
    return replaced(input, index, index + digits.length, random.pick(interestingNumbers))
  },
]

/** Mutates an input in one or a few places. */
export function mutate(input: Buffer, options: MutateOptions): Buffer {
  const { random, maxLength } = options
  let changed = input
  for (let left = 1 + random.below(random.chance(0.8) ? 3 : 12); left > 0; left--) {
    const mutation = changed.length === 0 ? insertBytes : random.pick(mutations)
    changed = mutation(changed, options)
  }
  return changed.length > maxLength ? changed.subarray(0, maxLength) : changed
}
