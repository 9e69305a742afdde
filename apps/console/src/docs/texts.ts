import { useLanguage } from '../i18n/language.tsx'
import { type DocsMessages, docs as en } from '../messages/en/docs.ts'

const folders = import.meta.glob<DocsMessages>('../messages/*/docs.ts', { eager: true, import: 'docs' })

const byLanguage: Readonly<Record<string, DocsMessages>> = Object.fromEntries(
  Object.entries(folders).map(([path, docs]) => [path.split('/').at(-2), docs]),
)

/** The texts of the API reference. */
export const docsTexts = (language: string): DocsMessages => byLanguage[language] ?? en

export const useDocsTexts = (): DocsMessages => docsTexts(useLanguage().language)

/** The text of a name that the OpenAPI document gives; a test asks for each of them. */
export const textOf = <Text>(
  texts: Readonly<Record<string, Text>>,
  name: string | number,
): Text | undefined => texts[String(name)]
