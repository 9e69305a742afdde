import { useLanguage } from '../i18n/language.tsx'
import { byLanguage } from '../i18n/languages.ts'
import { type DocsMessages, docs as en } from '../messages/en/docs.ts'

const texts = byLanguage(
  import.meta.glob<DocsMessages>('../messages/*/docs.ts', { eager: true, import: 'docs' }),
)

/** The texts of the API reference. */
export const docsTexts = (language: string): DocsMessages => texts.get(language) ?? en

export const useDocsTexts = (): DocsMessages => docsTexts(useLanguage().language)

/** The text of a name that the OpenAPI document gives, where a language has texts of its own; a test asks for each of them. */
export const findText = <Text>(
  texts: Readonly<Record<string, Text>> | undefined,
  name: string | number,
): Text | undefined => texts?.[String(name)]
