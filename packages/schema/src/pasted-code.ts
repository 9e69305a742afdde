/**
 * A purchase code as a buyer may have pasted it, cleaned: NFKC, without zero-width characters, every dash and minus sign
 * as `-`, trimmed. Look it up only when the code as it was sent matches nothing; what is stored is never changed.
 *
 * @example
 * cleanPastedCode('ABCD\u2013EFGH\u200b') // 'ABCD-EFGH'
 */
export const cleanPastedCode = (code: string): string =>
  code
    .normalize('NFKC')
    .replace(/[\u200b-\u200d\u2060\ufeff]/g, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .trim()
