import type { Locale } from '../constants.ts'
import { clientExplanations as en } from './explanations-en.ts'
import { clientExplanations as pt } from './explanations-pt.ts'

/**
 * What the errors mean that a well-formed request can have, by language: all that a client has to explain. Those of every error are
 * in `messages`.
 *
 * @example
 * clientExplanations.pt.no_items // 'O workspace desta chave ainda não tem itens.'
 */
export const clientExplanations: Readonly<Record<Locale, Readonly<Record<keyof typeof en, string>>>> = {
  en,
  pt,
}
