import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generateApiKey, lastFour, withChecksum } from './api-key.ts'

const hasValidChecksum = (key: string) =>
  /^spp?_[0-9A-Za-z]{38}$/.test(key) && withChecksum(key.slice(0, -6)) === key

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

test('a key is sp_, 32 random characters and the CRC-32 of them', () => {
  for (let count = 0; count < 200; count++) {
    const key = generateApiKey()
    expect(key).toMatch(/^sp_[0-9A-Za-z]{38}$/)
    const digits = [...key.slice(-6)].map((digit) => base62.indexOf(digit))
    expect(digits.reduce((sum, digit) => sum * 62 + digit, 0)).toBe(crc32(key.slice(0, -6)))
    expect(hasValidChecksum(key)).toBe(true)
  }
})

test('a publishable key tells its kind', () => {
  const key = generateApiKey({ publishable: true })
  expect(key).toMatch(/^spp_[0-9A-Za-z]{38}$/)
  expect(hasValidChecksum(key)).toBe(true)
})

test('no two keys are the same, and every character is used', () => {
  const keys = Array.from({ length: 500 }, () => generateApiKey())
  expect(new Set(keys).size).toBe(500)
  expect(new Set(keys.flatMap((key) => [...key.slice(3, 35)])).size).toBe(62)
})

test('one character changed is noticed', () => {
  const change = fc.tuple(fc.nat(37), fc.constantFrom(...base62))
  fc.assert(
    fc.property(change, ([index, character]) => {
      const key = generateApiKey()
      const place = index + 3
      const changed = key.slice(0, place) + character + key.slice(place + 1)
      expect(hasValidChecksum(changed)).toBe(changed === key)
    }),
  )
})

test('any other text has none', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^sp_[0-9A-Za-z]{0,60}$/))
  fc.assert(
    fc.property(text, (other) => {
      expect(hasValidChecksum(other)).toBe(false)
    }),
  )
  expect(hasValidChecksum(`${generateApiKey()}\n`)).toBe(false)
})

test('the last four characters are shown where at least sixteen others stay hidden', () => {
  expect(lastFour('sp_0123456789abcdefghijklmnopqrstuvwxyzABCD')).toBe('ABCD')
  expect(lastFour('0123456789abcdef1234')).toBe('1234')
  expect(lastFour('0123456789abcdef123')).toBeNull()
})
