/**
 * The code as it is sent, or `undefined` when it is malformed: empty, over 255 characters, not well-formed or with control
 * characters. Every code that the API rejects as malformed must be rejected here: otherwise a buyer could force the outcome
 * `unknown`, and with it the grace of a gate.
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
 * Whether a response is about the requested purchase: a cache on the way may have returned another one. The API also finds a code
 * that was pasted with other dashes or invisible characters, and some deployments ignore case.
 */
export function isSameCode(sent: string, received: string): boolean {
  const known = lettersAndDigits(sent)
  return sent === received || (known !== '' && known === lettersAndDigits(received))
}
