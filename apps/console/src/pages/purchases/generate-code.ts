/** Without characters that look alike: people type codes from paper. 32 of them, so that each is equally likely. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** A purchase code that cannot be guessed: four groups of five characters, 100 bits. */
export function generateCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  const characters = Array.from(bytes, (byte) => alphabet.charAt(byte % alphabet.length))
  return [0, 5, 10, 15].map((start) => characters.slice(start, start + 5).join('')).join('-')
}
