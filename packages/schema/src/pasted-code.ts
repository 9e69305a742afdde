/**
 * The one form of a purchase code: NFKC, without U+200B–U+200D, U+2060 and U+FEFF (and NFKC of what they kept apart), U+2010–U+2015 and
 * U+2212 as `-`, trimmed. Case is kept. What is stored, looked up and compared is in it; to bring it there again changes nothing.
 *
 * @example
 * cleanPastedCode('ABCD\u2013EFGH\u200b') // 'ABCD-EFGH'
 */
export const cleanPastedCode = (code: string): string =>
  // Most codes: a test costs less than NFKC.
  /^[!-~]*$/.test(code)
    ? code
    : code
        .normalize('NFKC')
        .replace(/[\u200b-\u200d\u2060\ufeff]/g, '')
        .normalize('NFKC')
        .replace(/[\u2010-\u2015\u2212]/g, '-')
        .trim()
