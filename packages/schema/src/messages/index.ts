import type { BaseIssue } from 'valibot'
import type { Locale } from '../constants.ts'
import { en, type Messages } from './en.ts'
import { pt } from './pt.ts'

export type { Messages } from './en.ts'
export { type FailureCause, failureMessage } from './failure-message.ts'

/**
 * All texts, by language.
 *
 * @example
 * messages.pt.explanations.no_items // 'O workspace desta chave ainda não tem itens.'
 */
export const messages: Readonly<Record<Locale, Messages>> = { en, pt }

/** What can be wrong with a value, as the texts know it. */
export type IssueKey = keyof Messages['issues']

const keysByIssueType: Readonly<Record<string, IssueKey>> = {
  array: 'list',
  boolean: 'boolean',
  string: 'text',
}

const isIssueKey = (text: string): text is IssueKey => Object.hasOwn(en.issues, text)

function issueKey(issue: BaseIssue<unknown>): IssueKey {
  if (isIssueKey(issue.message)) return issue.message
  // An object schema reports a field that is not there as received `undefined` and expects it by its quoted name.
  if (issue.received === 'undefined' && issue.kind === 'schema') return 'required'
  // What a strict object does not know it expects never; something else that is not an object has the wrong type.
  if (issue.type === 'strict_object' && issue.expected === 'never') return 'unknown'
  return keysByIssueType[issue.type] ?? 'type'
}

/**
 * What is wrong with a value, in words that never repeat the value: Valibot's own messages do, and would print a key or a
 * purchase code.
 *
 * @example
 * const { issues } = v.safeParse(PurchaseCodeParameterSchema, '')
 * issueMessage(issues[0], 'en') // 'must not be empty'
 */
export const issueMessage = (issue: BaseIssue<unknown>, locale: Locale): string =>
  messages[locale].issues[issueKey(issue)]
