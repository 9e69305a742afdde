import { cleanPastedCode } from '@saleproof/schema'

/** How a pasted text relates to the code that it probably means. */
export type NearReason = 'in_text' | 'other_case' | 'other_dashes' | 'typo'

/** Codes to look up, the likeliest first. */
export interface NearCodes {
  reason: NearReason
  codes: string[]
}

/** Words that may be one code, which was copied with spaces in place of its dashes. */
const maxJoinedWords = 10
const maxLength = 64
const minTypoLength = 8
/** Beyond this many words, only those with a digit are joined. */
const maxPlainWords = 30
/** The most codes that are tried for each reason. */
const maxCodes = 4000

const separators = /[\s"'`\u2018-\u201f\u00ab\u00bb<>()[\]{}|,;:=&?]+/u
const lettersAndDigits = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')
const trimPunctuation = (word: string) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
const unique = (texts: readonly string[]) => [...new Set(texts)]

/** The words of a text that may be codes, and neighbouring words joined by dashes; the longest first. */
function codesIn(text: string) {
  const cleaned = cleanPastedCode(text)
  const words = cleaned.split(separators).map(trimPunctuation).filter(Boolean)
  const whole = cleaned.split(/\s+/u)
  const joined = words.flatMap((_, start) =>
    Array.from({ length: maxJoinedWords - 1 }, (_, more) => words.slice(start, start + more + 2).join('-')),
  )
  const candidates = (codes: readonly string[]) =>
    unique(codes)
      .filter((code) => code.length > 3 && code.length <= maxLength)
      .sort((a, b) => b.length - a.length)
  return {
    single: candidates([...whole, ...whole.map(trimPunctuation), ...words]),
    // A long text has many neighbouring words, and codes have digits.
    joined: candidates(joined.filter((code) => words.length <= maxPlainWords || /\d/.test(code))),
  }
}

/** Where a shop's codes have dashes, by their number of letters and digits, and what characters they are made of. */
function formatOf(sample: readonly string[]) {
  const patterns = new Map<number, Set<string>>()
  for (const code of sample) {
    const { length } = lettersAndDigits(code)
    patterns.set(length, (patterns.get(length) ?? new Set()).add(code.replace(/[\p{L}\p{N}]/gu, 'x')))
  }
  const text = sample.join('')
  const toCase = (code: string) =>
    text === text.toUpperCase() ? code.toUpperCase() : text === text.toLowerCase() ? code.toLowerCase() : code
  return {
    toCase,
    alphabet: unique([...toCase(lettersAndDigits(`${text}ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789`))]),
    /** The characters with the dashes that codes of their number have. */
    apply(characters: string): string[] {
      return [...(patterns.get(characters.length) ?? [])].map((pattern) => {
        let index = 0
        return pattern.replace(/x/g, () => characters.charAt(index++))
      })
    },
    /** Whether a code of one character more, or less, has a known format. */
    fits: ({ length }: string) => [length - 1, length, length + 1].some((size) => patterns.has(size)),
  }
}

type Format = ReturnType<typeof formatOf>

const confusables = ['0Oo', '1lIiL|'] as const

/** Texts that differ in one character: confused, swapped with the next one, added, left out, or another one. */
function* typosOf(text: string, alphabet: readonly string[]): Generator<string> {
  const replace = (index: number, length: number, by: string) =>
    text.slice(0, index) + by + text.slice(index + length)
  const indexes = Array.from(text, (_, index) => index)
  for (const index of indexes)
    for (const group of confusables)
      if (group.includes(text.charAt(index)))
        for (const character of group) yield replace(index, 1, character)
  for (const index of indexes) yield replace(index, 2, text.charAt(index + 1) + text.charAt(index))
  for (const index of indexes) yield replace(index, 1, '')
  for (const index of [...indexes, text.length])
    for (const character of alphabet) yield replace(index, 0, character)
  for (const index of indexes) for (const character of alphabet) yield replace(index, 1, character)
}

/** At most some thousand codes that differ from one of the candidates by a typo. */
function typoCodes(candidates: readonly string[], format: Format): string[] {
  const codes = new Set<string>()
  const mistyped = unique(candidates.map((code) => format.toCase(lettersAndDigits(code)))).filter(
    (text) => text.length >= minTypoLength && /^[\x21-\x7e]+$/.test(text) && format.fits(text),
  )
  for (const text of mistyped)
    for (const typo of typosOf(text, format.alphabet))
      for (const code of format.apply(typo)) {
        if (codes.size >= maxCodes) return [...codes]
        codes.add(code)
      }
  return [...codes]
}

/**
 * The codes that a pasted text may mean, to be looked up by key: nothing is scanned. `sample` holds codes of the same shop, which show how
 * its codes are formatted.
 */
export function nearCodes(text: string, sample: readonly string[]): NearCodes[] {
  const { single, joined } = codesIn(text)
  const candidates = [...single, ...joined]
  const format = formatOf(sample)
  const inCase = (codes: readonly string[]) =>
    unique(codes.flatMap((code) => [format.toCase(code), code.toUpperCase(), code.toLowerCase()]))
  const dashed = [...joined, ...candidates.flatMap((code) => format.apply(lettersAndDigits(code)))]
  const reasons: NearCodes[] = [
    { reason: 'in_text', codes: single },
    { reason: 'other_case', codes: inCase(single) },
    { reason: 'other_dashes', codes: unique([...dashed, ...inCase(dashed)]) },
    { reason: 'typo', codes: typoCodes(candidates, format) },
  ]
  return reasons.map(({ reason, codes }) => ({ reason, codes: codes.slice(0, maxCodes) }))
}
