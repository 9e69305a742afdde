import { describe, expect, test } from 'vitest'
import { messages as en } from '../messages/en/index.ts'
import { plural } from '../messages/plural.ts'
import { messages as pt } from '../messages/pt/index.ts'
import { createFormat } from './format.ts'

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

describe('money', () => {
  test.each([
    ['en', 19.99, 'USD', '$19.99'],
    ['pt-BR', 1250.5, 'BRL', 'R$ 1.250,50'],
    ['en', 500, 'JPY', '¥500'],
    ['en', 1.234, 'KWD', 'KWD 1.234'],
    // `Intl` has no decimals for it, ISO 4217 two: the amount is shown as paid.
    ['en', 10.25, 'HUF', 'HUF 10.25'],
  ])('%s %d %s', (tag, amount, currency, shown) => {
    expect(plain(createFormat(tag, en).money(amount, currency))).toBe(shown)
  })
})

test.each([
  [0, '0 items', '0 itens'],
  [1, '1 item', '1 item'],
  [2000, '2,000 items', '2.000 itens'],
])('plural of %d', (count, inEnglish, inPortuguese) => {
  expect(plural('en', count, { one: 'item', other: 'items' })).toBe(inEnglish)
  expect(plural('pt', count, { one: 'item', other: 'itens' })).toBe(inPortuguese)
})

describe('relative time', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  const before = (seconds: number) => new Date(now - seconds * 1000).toISOString()
  const [english, portuguese] = [createFormat('en', en), createFormat('pt-BR', pt)]

  test.each([
    [3, 'just now', 'agora mesmo'],
    [-3, 'shortly', 'em instantes'],
    [120, '2 minutes ago', 'há 2 minutos'],
    [3 * 3600, '3 hours ago', 'há 3 horas'],
    [86_400, 'yesterday', 'ontem'],
    [-5 * 86_400, 'in 5 days', 'em 5 dias'],
    [60 * 86_400, 'Sep 22, 2026', '22 de set. de 2026'],
  ])('%d seconds', (seconds, inEnglish, inPortuguese) => {
    expect(english.ago(before(seconds), now)).toBe(inEnglish)
    expect(portuguese.ago(before(seconds), now)).toBe(inPortuguese)
  })
})

test.each([
  [0.42, '0.42\u00a0ms'],
  [12.345, '12.3\u00a0ms'],
  [1530, '1.53\u00a0s'],
])('%d milliseconds', (value, shown) => {
  expect(createFormat('en', en).milliseconds(value)).toBe(shown)
})
