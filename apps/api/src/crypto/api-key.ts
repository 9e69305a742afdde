import { crc32 } from 'node:zlib'
import { customAlphabet } from 'nanoid'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const checksumLength = 6
const random = customAlphabet(base62, 32)

/** A text with its CRC-32 in six base62 digits, by which scanners recognise a leaked key. */
export function withChecksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let index = 0; index < checksumLength; index++) {
    digits = base62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return text + digits
}

/** A new key: `sp_`, or `spp_` of a publishable one, 190 random bits in base62, and a checksum. */
export const generateApiKey = ({ publishable = false } = {}): string =>
  withChecksum((publishable ? 'spp_' : 'sp_') + random())

const shownLength = 4
/** What stays hidden is never shorter than the shortest key that an import takes. */
const minHiddenLength = 16

/** The last characters of a key, by which its owner tells it from another; `null` where the rest would be short. */
export const lastFour = (key: string): string | null =>
  key.length < minHiddenLength + shownLength ? null : key.slice(-shownLength)
