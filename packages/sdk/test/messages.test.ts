import { errorCodes } from '@saleproof/schema'
import { expect, it } from 'vitest'
import { type ErrorKind, SaleproofError } from '../src/index.ts'
import { explain } from '../src/messages.ts'

const kinds: Record<ErrorKind, true> = {
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
}

it('has a sentence for every kind and code in both languages', () => {
  for (const kind of Object.keys(kinds) as ErrorKind[]) {
    for (const code of [
      undefined,
      'redirected',
      'malformed_code',
      'not_json',
      'ECONNRESET',
      'toString',
      ...errorCodes,
    ]) {
      const [en, pt] = [explain({ kind, code }), explain({ kind, code }, 'pt')]
      for (const sentence of [en, pt]) expect(sentence).toMatch(/^\p{Lu}.{10,}\.$/u)
      expect(en).not.toBe(pt)
    }
  }
  expect(explain(new SaleproofError('server', { code: 'unavailable' }))).toContain('cannot find out')
})
