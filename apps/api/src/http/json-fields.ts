import { createScanner } from 'jsonc-parser'
import type { Parameter } from './state.ts'

// Kinds of tokens: a `const enum` of the scanner, which cannot be imported.
const opening = new Set([1, 3])
const closing = new Set([2, 4])
const separators = new Set([5, 6])
const stringKind = 10
const endOfText = 17

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    // The parser's error repeats what was sent.
    return false
  }
}

/**
 * The fields of an object as they are written, undefined where the text is none: of two with one name `JSON.parse` keeps only the last.
 * What is nested becomes an empty list: no parameter may be nested, and descending into it could be made to exhaust the stack.
 */
export function jsonFields(text: string): Parameter[] | undefined {
  if (!isObject(text)) return undefined
  const scanner = createScanner(text, true)
  const fields: Parameter[] = []
  let depth = 0
  let name: string | undefined
  for (let kind: number = scanner.scan(); kind !== endOfText; kind = scanner.scan()) {
    if (closing.has(kind)) depth--
    else if (depth === 1 && !separators.has(kind)) {
      const token = scanner.getTokenValue()
      if (name === undefined) name = token
      else {
        fields.push([name, opening.has(kind) ? [] : kind === stringKind ? token : JSON.parse(token)])
        name = undefined
      }
    }
    if (opening.has(kind)) depth++
  }
  return fields
}
