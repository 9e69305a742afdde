import type * as v from 'valibot'
import { type ConsoleFieldCode, consoleFieldCodes } from './errors.ts'

const isFieldCode = (text: string): text is ConsoleFieldCode =>
  (consoleFieldCodes as readonly string[]).includes(text)

function codeOf(issue: v.BaseIssue<unknown>): ConsoleFieldCode {
  if (issue.type === 'strict_object' && issue.expected === 'never') return 'unknown'
  if (issue.input === undefined) return 'required'
  return isFieldCode(issue.message) ? issue.message : 'type'
}

/**
 * What is wrong with a request, by the path of the member; the first that is wrong with each. Never holds a value. What is wrong with the
 * whole is under `''`.
 *
 * @example
 * const { issues } = v.safeParse(SignInSchema, { login: '' })
 * fieldCodes(issues) // { login: 'not_empty', password: 'required' }
 */
export function fieldCodes(issues: readonly v.BaseIssue<unknown>[]): Record<string, ConsoleFieldCode> {
  const found = new Map<string, ConsoleFieldCode>()
  for (const issue of issues) {
    const path = (issue.path ?? []).map(({ key }) => String(key)).join('.')
    if (!found.has(path)) found.set(path, codeOf(issue))
  }
  return Object.fromEntries(found)
}
