import * as v from 'valibot'
import { invalid } from './failure.ts'

/** What rows are ordered by. */
export type Place = string | number | Date

/** Where a page ends, as the text that asks for the next. */
export const cursorOf = (place: Place, identity: string | number): string =>
  Buffer.from(JSON.stringify([place instanceof Date ? { at: place.getTime() } : place, identity])).toString(
    'base64url',
  )

const PlaceSchema = v.union([v.string(), v.number(), v.object({ at: v.pipe(v.number(), v.integer()) })])
const CursorValuesSchema = v.tuple([PlaceSchema, v.union([v.string(), v.number()])])

/** What a cursor says. It was given out by a page of the same order; of any other it is none. */
export function readCursor(text: string): [place: Place, identity: string | number] {
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    const [place, identity] = v.parse(CursorValuesSchema, values)
    return [typeof place === 'object' ? new Date(place.at) : place, identity]
  } catch {
    throw invalid('cursor', 'cursor')
  }
}
