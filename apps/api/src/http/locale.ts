import { type Locale, locales } from '@saleproof/schema'
import Negotiator from 'negotiator'

/**
 * The best match of `Accept-Language` among the languages of the messages; undefined where it names none of them. Negotiator only sorts
 * the list: asked to match, it prefers `en` to `pt-BR` in `pt-BR, en`, and `*` to everything.
 */
export function acceptedLocale(acceptLanguage: string | undefined): Locale | undefined {
  if (acceptLanguage === undefined) return undefined
  const tags = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).languages()
  const languages = tags.map((tag) => tag.toLowerCase().split('-')[0])
  return languages.flatMap((language) => locales.filter((locale) => locale === language))[0]
}
