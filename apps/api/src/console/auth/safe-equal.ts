import { timingSafeEqual } from 'node:crypto'

/** Compares texts in a time that does not depend on where they differ. */
export function safeEqual(one: string, other: string): boolean {
  const bytes = Buffer.from(one)
  const otherBytes = Buffer.from(other)
  return bytes.length === otherBytes.length && timingSafeEqual(bytes, otherBytes)
}
