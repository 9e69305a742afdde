import { cleanPastedCode } from '@saleproof/schema'
import { minCodePart } from '@saleproof/schema/console'

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
/** Shorter numbers of a text, such as years, are too often the end of a code by chance. */
const minNumberLength = 6
const maxParts = 5
/** Beyond this many words, only those with a digit are joined. */
const maxPlainWords = 30
/** The most codes that are tried for each reason: listing and looking up as many takes some milliseconds. */
const maxCodes = 1000
const maxJoined = 300
const maxTypos = 3000

const separators = /[\s"'`\u2018-\u201f\u00ab\u00bb<>()[\]{}|,;:=&?]+/u
const lettersAndDigits = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')
const trimPunctuation = (word: string) =>
  word.replace(/^[^\p{L}\p{N}]+|(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '')
const unique = (texts: readonly string[]) => [...new Set(texts)]

/** The first texts without duplicates. What would come behind them is never made. */
function take(texts: Iterable<string>, max: number): string[] {
  const taken = new Set<string>()
  for (const text of texts) if (taken.add(text).size >= max) break
  return [...taken]
}

/** Neighbouring words joined by dashes. A long text has many of them, and codes have digits. */
function* joinWords(words: readonly string[]): Generator<string> {
  for (const start of words.keys())
    for (let count = 2; count <= maxJoinedWords; count++) {
      const joined = words.slice(start, start + count).join('-')
      if (joined.length > maxLength) break
      if (words.length <= maxPlainWords || /\d/.test(joined)) yield joined
    }
}

/** The words of a text that may be codes, and neighbouring words joined by dashes; the longest first. */
function codesIn(text: string) {
  const cleaned = cleanPastedCode(text)
  const words = cleaned.split(separators).map(trimPunctuation).filter(Boolean)
  const whole = cleaned.split(/\s+/u)
  const candidates = (codes: Iterable<string>, max: number) =>
    take(codes, max)
      .filter((code) => code.length > 3 && code.length <= maxLength)
      .sort((a, b) => b.length - a.length)
  return {
    single: candidates([...whole, ...whole.map(trimPunctuation), ...words], maxCodes),
    joined: candidates(joinWords(words), maxJoined),
  }
}

/** Where a shop's codes have dashes, by their number of letters and digits, and what characters they are made of. */
function readFormat(sample: readonly string[]) {
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
    *apply(characters: string): Generator<string> {
      for (const pattern of patterns.get(characters.length) ?? []) {
        let code = ''
        let used = 0
        for (let at = 0; at < pattern.length; at++)
          code += pattern[at] === 'x' ? characters[used++] : pattern[at]
        yield code
      }
    },
    /** Whether a code of one character more, or less, has a known format. */
    fits: ({ length }: string) => [length - 1, length, length + 1].some((size) => patterns.has(size)),
  }
}

type Format = ReturnType<typeof readFormat>

const confusables = ['0Oo', '1lIiL|', 'Bb8', 'Ss5'] as const

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

/** Texts that differ in two characters, each confused with one that looks like it. */
function* twoConfusedOf(text: string, alphabet: readonly string[]): Generator<string> {
  const others = Array.from(text, (character) =>
    alphabet.filter(
      (other) =>
        other !== character &&
        confusables.some((group) => group.includes(character) && group.includes(other)),
    ),
  )
  for (const [first, firstOthers] of others.entries())
    for (const [second, secondOthers] of others.entries())
      for (const one of second > first ? firstOthers : [])
        for (const two of secondOthers)
          yield text.slice(0, first) + one + text.slice(first + 1, second) + two + text.slice(second + 1)
}

/** Codes whose letters and digits differ from those of one of the texts by a typo. */
function* typoCodes(texts: readonly string[], format: Format, typos: typeof typosOf): Generator<string> {
  const mistyped = unique(texts.map(format.toCase)).filter(
    (text) => text.length >= minTypoLength && /^[\x21-\x7e]+$/.test(text) && format.fits(text),
  )
  let tried = 0
  for (const text of mistyped)
    for (const typo of typos(text, format.alphabet)) {
      if (tried++ === maxTypos) return
      yield* format.apply(typo)
    }
}

/**
 * The codes that a pasted text may mean, to be looked up by key: nothing is scanned. `sample` holds codes of the same shop, which show how
 * its codes are formatted.
 */
export function* nearCodes(text: string, sample: readonly string[]): Generator<NearCodes> {
  const { single, joined } = codesIn(text)
  const texts = [...single, ...joined].map(lettersAndDigits)
  const format = readFormat(sample)
  function* inCase(codes: Iterable<string>) {
    for (const code of codes) yield* [format.toCase(code), code.toUpperCase(), code.toLowerCase()]
  }
  function* dashed() {
    yield* joined
    for (const text of texts) yield* format.apply(text)
  }
  yield { reason: 'in_text', codes: single }
  yield { reason: 'other_case', codes: take(inCase(single), maxCodes) }
  const dashedCodes = take(dashed(), maxCodes)
  yield { reason: 'other_dashes', codes: take([...dashedCodes, ...inCase(dashedCodes)], 2 * maxCodes) }
  const typos = [typosOf, twoConfusedOf].flatMap((each) => take(typoCodes(texts, format, each), maxTypos))
  yield { reason: 'typo', codes: unique(typos) }
}

/** Whether a word of a text looks like a part of a code: upper case, letters with digits, or a long number. */
function isPart(word: string): boolean {
  const { length } = lettersAndDigits(word)
  if (length < minCodePart) return false
  const hasDigit = /\d/.test(word)
  return (
    (/\p{L}/u.test(word) && (hasDigit || word === word.toUpperCase())) ||
    (hasDigit && length >= minNumberLength)
  )
}

/** What may be a part of a code: the whole text, its words joined by dashes, and the longest words that look like one. */
export function codePartsIn(text: string): string[] {
  const { single, joined } = codesIn(text)
  const whole = cleanPastedCode(text)
  return unique([whole, ...joined.slice(0, 1), ...single.filter(isPart)])
    .filter((part) => part.length <= maxLength)
    .slice(0, maxParts)
}
