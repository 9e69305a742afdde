import { errorCodes, locales } from '@saleproof/schema'
import { clientExplanations } from '@saleproof/schema/constants'
import { expect, it } from 'vitest'
import { type ClientErrorCode, type ErrorKind, type InvalidReason, SaleproofError } from '../src/index.ts'
import { explain } from '../src/messages.ts'

const keysOf = <Key extends string>(table: Record<Key, true>) => Object.keys(table) as Key[]

const kinds = keysOf<ErrorKind>({
  configuration: true,
  aborted: true,
  timeout: true,
  connection: true,
  invalid_response: true,
  authentication: true,
  not_found: true,
  rate_limited: true,
  rejected: true,
  server: true,
})

const clientCodes = keysOf<ClientErrorCode>({
  malformed_code: true,
  key_unavailable: true,
  redirected: true,
  too_large: true,
  unsigned_response: true,
})

const reasons = keysOf<InvalidReason>({
  malformed_code: true,
  purchase_not_found: true,
  purchase_not_active: true,
  wrong_item: true,
})

const isSentence = /^\p{Lu}.{10,}\.$/u

const expectSentences = ([en, pt]: readonly string[]) => {
  for (const sentence of [en, pt]) expect(sentence).toMatch(isSentence)
  expect(en).not.toBe(pt)
}

it('has a sentence for every kind and code in both languages', () => {
  for (const kind of kinds) {
    for (const code of [undefined, 'ECONNRESET', 'toString', ...clientCodes, ...errorCodes])
      expectSentences(locales.map((locale) => explain({ kind, code }, locale)))
  }
})

it('has a sentence of its own for every code that a client meets', () => {
  for (const locale of locales) {
    const general = kinds.map((kind) => explain({ kind, code: undefined }, locale))
    const own = clientCodes.map((code) => explain({ kind: 'invalid_response', code }, locale))
    expect(new Set([...general, ...own]).size).toBe(kinds.length + clientCodes.length)
    for (const [code, sentence] of Object.entries(clientExplanations[locale]))
      expect(explain({ kind: 'rejected', code }, locale)).toBe(sentence)
  }
})

it('has a sentence for every reason of an invalid check', () => {
  for (const reason of reasons) expectSentences(locales.map((locale) => explain({ reason }, locale)))
  for (const locale of locales)
    expect(new Set(reasons.map((reason) => explain({ reason }, locale))).size).toBe(reasons.length)
  expect(explain({ reason: 'wrong_item' })).toBe('The purchase code is of another item.')
})

it('explains an error, a check that is unknown, and nothing by a name that objects inherit', () => {
  const error = new SaleproofError('server', { code: 'unavailable' })
  expect(explain(error)).toContain('temporarily unavailable')
  expect(explain({ error }, 'pt')).toContain('temporariamente indisponível')
  expect(explain({ kind: 'server', code: 'constructor' })).toBe(explain({ kind: 'server', code: undefined }))
})

it.each(['de', 'pt-BR', 'constructor', '', null])(
  'explains in English where it lacks the language %o',
  (locale) => {
    expect(explain({ reason: 'wrong_item' }, locale as 'en')).toBe(explain({ reason: 'wrong_item' }))
  },
)
