/**
 * The code as it is sent, or `undefined` for what no purchase code can look like: empty, over 255 characters, not well-formed or
 * with control characters. What the API would refuse for its form must be refused here: a buyer who could choose an answer
 * other than yes or no could choose to be let in.
 */
export function readPurchaseCode(code: unknown): string | undefined {
  const text = typeof code === 'string' ? code.trim() : ''
  return /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(text) ? text : undefined
}

const lettersAndDigits = (code: string) =>
  code
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

/**
 * Whether an answer speaks of the purchase that was asked for: one that was meant for somebody else (a cache on the way) is no
 * yes. The API finds a code as a buyer pasted it, with other dashes or invisible characters, and some deployments ignore case.
 */
export function isSameCode(sent: string, answered: string): boolean {
  const known = lettersAndDigits(sent)
  return sent === answered || (known !== '' && known === lettersAndDigits(answered))
}
