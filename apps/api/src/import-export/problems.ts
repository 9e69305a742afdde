import type { Locale } from '@saleproof/schema'
import { describeIssue } from '@saleproof/schema/records'
import type { FieldIssue } from '../records/check-record.ts'
import { UserError } from '../user-error.ts'

/** What is wrong with a line, or worth a warning. Never holds a value of the line. */
export interface ImportProblem {
  line: number
  /** The path of the field, such as `media.thumbnail`; `null` when it is the line as a whole. */
  field: string | null
  message: string
}

export interface LineIssue extends FieldIssue {
  line: number
}

/** The file was refused and nothing of it is stored. */
export class ImportError extends UserError {
  readonly problems: readonly ImportProblem[]
  /** Whether reading stopped at the largest number of problems, so that there may be more. */
  readonly more: boolean

  constructor(problems: readonly ImportProblem[], more: boolean) {
    super('the import was refused and nothing was stored')
    this.name = 'ImportError'
    this.problems = problems
    this.more = more
  }
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
