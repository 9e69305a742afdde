import { errorExplanations, isErrorCode } from '@saleproof/schema/constants'
import { useLanguage } from '../i18n/language.tsx'
import type { Operation } from './reference.ts'
import { findText, useDocsTexts } from './texts.ts'

/** What an error of an operation means, in the language of the page; undefined for a code of another version. */
export function useErrorText({ id, errors }: Operation) {
  const { locale } = useLanguage()
  const texts = useDocsTexts()
  return (code: string): string | undefined => {
    const own = findText(texts.operations, id)
    if (!own || !isErrorCode(code)) return errors[code]
    return own.errors?.[code] ?? errorExplanations[locale][code]
  }
}
