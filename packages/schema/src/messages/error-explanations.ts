import type { Locale } from '../constants.ts'
import type { ErrorCode } from '../errors.ts'
import * as en from './explanations-en.ts'
import * as pt from './explanations-pt.ts'

/**
 * What every error means, by language: `messages` without Valibot. In a module of its own, because clients bundle
 * `clientExplanations` alone.
 *
 * @example
 * errorExplanations.en.no_items // 'The workspace of this key has no items yet.'
 */
export const errorExplanations: Readonly<Record<Locale, Readonly<Record<ErrorCode, string>>>> = {
  en: { ...en.clientExplanations, ...en.requestExplanations },
  pt: { ...pt.clientExplanations, ...pt.requestExplanations },
}
