import type { Locale } from '@saleproof/schema'
import { describeIssue } from '@saleproof/schema/records'
import { ImportError, type ImportProblem } from '../domain/imports.ts'
import type { FieldIssue } from '../records/check-record.ts'

export interface LineIssue extends FieldIssue {
  line: number
}

/** Thrown internally at `maxErrors` problems. */
class EnoughProblems extends Error {}

interface LineIssuesOptions {
  maxErrors: number
  locale: Locale
}

/** Gathers what is found; stops the import at `maxErrors` problems, and keeps as many warnings. */
export function createLineIssues({ maxErrors, locale }: LineIssuesOptions) {
  const problems: ImportProblem[] = []
  let warnings: ImportProblem[] = []
  let warningCount = 0
  const toProblem = ({ line, field, issue, got }: LineIssue): ImportProblem => ({
    line,
    field,
    message: describeIssue(locale, issue, got),
  })
  return {
    problem(lineIssue: LineIssue) {
      problems.push(toProblem(lineIssue))
      if (problems.length >= maxErrors) throw new EnoughProblems()
    },
    warning(lineIssue: LineIssue) {
      warningCount += 1
      if (warnings.length < maxErrors) warnings.push(toProblem(lineIssue))
    },
    /** The check that gave the later ones is about to run again. */
    forgetWarningsAfter(count: number) {
      warnings = warnings.slice(0, count)
      warningCount = count
    },
    hasProblems: () => problems.length > 0,
    /** How many more problems are listed. */
    room: () => maxErrors - problems.length,
    refusal: (more: boolean) => new ImportError(problems, more),
    warnings: () => ({ warnings, warningCount }),
  }
}

export type LineIssues = ReturnType<typeof createLineIssues>

export async function refusing<T>(lineIssues: LineIssues, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof EnoughProblems ? lineIssues.refusal(true) : error
  }
}
