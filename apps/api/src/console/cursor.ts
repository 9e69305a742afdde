import * as v from 'valibot'
import { invalid } from './console-error.ts'

/** What rows are ordered by. */
export type Place = string | number | Date

/** Where a page ends, as the text that asks for the next. */
export const cursorOf = (place: Place, identity: string | number): string =>
  Buffer.from(JSON.stringify([place instanceof Date ? { at: place.getTime() } : place, identity])).toString(
    'base64url',
  )

/** The moments that a date of ours can be, which every database takes: of the years 0 to 9999. */
const [firstMoment, lastMoment] = [Date.UTC(-1, 12), Date.UTC(9999, 11, 31, 23, 59, 59, 999)]

/** What a cursor may hold: a forged one may hold anything, and shall not be taken for trouble of the database. */
const schemas = {
  moment: v.pipe(
    v.strictObject({ at: v.pipe(v.number(), v.integer(), v.minValue(firstMoment), v.maxValue(lastMoment)) }),
    v.transform(({ at }): Place => new Date(at)),
  ),
  text: v.pipe(
    v.string(),
    v.check((text) => text.isWellFormed() && !text.includes('\0')),
  ),
  number: v.pipe(v.number(), v.safeInteger()),
}

interface Kinds {
  place: keyof typeof schemas
  identity: 'text' | 'number'
}

/** What a cursor says. It was given out by a page of the same order; of any other it is none. */
export function readCursor(text: string, kinds: Kinds): [place: Place, identity: string | number] {
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return v.parse(v.strictTuple([schemas[kinds.place], schemas[kinds.identity]]), values)
  } catch {
    throw invalid('cursor', 'cursor')
  }
}
