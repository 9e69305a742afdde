import type { Locale } from '@saleproof/schema/constants'
import { useLanguage } from '../i18n/language.tsx'
import { type DocsMessages, docs as en } from '../messages/en/docs.ts'
import { docs as pt } from '../messages/pt/docs.ts'

export const docsTexts: Readonly<Record<Locale, DocsMessages>> = { en, pt }

export const useDocsTexts = (): DocsMessages => docsTexts[useLanguage().language]

/** The text of a name that the OpenAPI document gives; a test asks for each of them. */
export const textOf = <Text>(
  texts: Readonly<Record<string, Text>>,
  name: string | number,
): Text | undefined => texts[String(name)]
