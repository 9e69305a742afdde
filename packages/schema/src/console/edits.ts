import * as v from 'valibot'
import { locales } from '../constants.ts'
import type { ImportProblem } from './import.ts'

const values = v.record(v.string('type'), v.unknown(), 'type')

/** An edit of fields of a stored record. The others stay as they are. */
export const editFields = {
  /** The new value of each field, by its path in the import format, such as `price.regular`. */
  changes: values,
  /** What each of them held when it was read. */
  before: values,
  /** The language of the problems; `en` by default. */
  locale: v.exactOptional(v.picklist(locales, 'locale')),
}

/** What became of an edit. */
export interface ConsoleEdit {
  /** Whether the fields are stored: all of them or none. */
  stored: boolean
  problems: ImportProblem[]
  /** What fields hold by now that were changed since they were read. With that as `before`, the edit replaces it. */
  conflicts: Record<string, unknown>
}
