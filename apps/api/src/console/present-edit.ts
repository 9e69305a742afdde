import type { Locale } from '@saleproof/schema'
import type { ConsoleEdit } from '@saleproof/schema/console'
import { recordIssues } from '@saleproof/schema/records'
import type { EditResult } from '../domain/record-edit.ts'
import { ConsoleError } from './console-error.ts'

/** What became of an edit, with problems in words. */
export function presentEdit(result: EditResult | undefined, locale: Locale = 'en'): ConsoleEdit {
  if (!result) throw new ConsoleError('not_found')
  const { issues, conflicts } = result
  return {
    stored: issues.length === 0 && Object.keys(conflicts).length === 0,
    problems: issues.map(({ field, issue }) => ({
      line: 1,
      field,
      message: recordIssues[locale][issue],
    })),
    conflicts,
  }
}
