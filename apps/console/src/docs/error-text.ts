import { errorExplanations, isErrorCode } from '@saleproof/schema/constants'
import { useLanguage } from '../i18n/language.tsx'
import type { Operation } from './reference.ts'
import { findText, useDocsTexts } from './texts.ts'

/** What an error of an operation means, in the language of the page; undefined for a code of another version. */
export function useErrorText({ id }: Pick<Operation, 'id'>) {
  const { locale } = useLanguage()
  const texts = useDocsTexts()
  return (code: string): string | undefined => {
    if (!isErrorCode(code)) return undefined
    return findText(texts.operations, id)?.errors?.[code] ?? errorExplanations[locale][code]
  }
}
