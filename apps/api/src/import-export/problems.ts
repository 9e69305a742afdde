import type { Locale } from '@saleproof/schema'
import type { ImportProblem } from '@saleproof/schema/console'
import { recordIssues } from '@saleproof/schema/records'
import { ImportError } from '../domain/imports.ts'
import type { FieldIssue } from '../records/check-record.ts'
import type { Line } from './lines.ts'
import type { SalesTally } from './sales/tally.ts'

export interface LineIssue extends FieldIssue {
  line: number
  /** Another line that has to do with it. */
  other?: number
}

interface LineIssuesOptions {
  maxErrors: number
  locale: Locale
  /** Only for a sales file, whose rows are rejected one by one. */
  sales?: SalesTally | undefined
}

/** Gathers what is found; stops the import at `maxErrors` problems, and keeps as many warnings. */
export function createLineIssues({ maxErrors, locale, sales }: LineIssuesOptions) {
  let current: Line | undefined
  const problems: ImportProblem[] = []
  let warnings: ImportProblem[] = []
  let warningCount = 0
  const toProblem = ({ line, field, issue }: LineIssue): ImportProblem => ({
    line: sales ? sales.unitOf(line) : line,
    field,
    message: recordIssues[locale][issue],
  })
  return {
    sales,
    reading(line: Line) {
      current = line
    },
    problem(lineIssue: LineIssue) {
      // What is wrong with an item that is made for them is the fault of no row.
      if (sales && sales.unitOf(lineIssue.line) > 0) {
        const row = current?.number === lineIssue.line ? current.row : undefined
        return sales.problem(lineIssue, toProblem(lineIssue).message, row)
      }
      problems.push(toProblem(lineIssue))
      if (problems.length >= maxErrors) throw new ImportError(problems, true)
    },
    warning(lineIssue: LineIssue) {
      warningCount += 1
      if (warnings.length < maxErrors) warnings.push(toProblem(lineIssue))
    },
    /** Forgets the warnings after the first `count`: the check that gave them is about to run again. */
    checkAgain(count: number) {
      warnings = warnings.slice(0, count)
      warningCount = count
      sales?.removeAgain()
    },
    /** Ends an import with problems. */
    refuseIfAny() {
      if (problems.length > 0) throw new ImportError(problems, false)
    },
    /** How many more problems are listed. */
    room: () => (sales ? Number.MAX_SAFE_INTEGER : maxErrors - problems.length),
    warnings: () => ({ warnings, warningCount }),
  }
}

export type LineIssues = ReturnType<typeof createLineIssues>
