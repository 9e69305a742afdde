import { type Locale, locales } from '@saleproof/schema'
import Negotiator from 'negotiator'

const isLocale = (text: string | undefined): text is Locale => locales.includes(text as Locale)

/**
 * The best match of `Accept-Language` among the languages of the messages; undefined where it names none of them. The list is
 * sorted by Negotiator, but matched here: asked to match, it puts `en` before `pt-BR` in `pt-BR, en`, and `*` first of all.
 */
export function acceptedLocale(acceptLanguage: string | undefined): Locale | undefined {
  if (acceptLanguage === undefined) return undefined
  const accepted = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).languages()
  return accepted.map((tag) => tag.toLowerCase().split('-')[0]).find(isLocale)
}
