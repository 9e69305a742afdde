import { describe, expect, test } from 'vitest'
import {
  type ErrorCode,
  errorCodes,
  failureMessage,
  type Locale,
  locales,
  messages,
  type OperationName,
  operationList,
} from '../index.ts'

/** Section 4 of the contract, written again. */
const ofOperation: Record<OperationName, Record<Locale, string>> = {
  getAccount: { en: 'Invalid request', pt: 'Invalid request' },
  listItems: { en: 'No items found', pt: 'Nenhum item encontrado' },
  getItem: { en: 'Item Not Found', pt: 'Item Not Found' },
  validatePurchase: { en: 'Invalid purchase code', pt: 'Código de compra inválido' },
}

const spokenByOperation: readonly ErrorCode[] = [
  'missing_parameter',
  'no_items',
  'item_not_found',
  'purchase_not_found',
  'purchase_not_active',
]

const general: Partial<Record<ErrorCode, Record<Locale, string>>> = {
  route_not_found: { en: 'Not found', pt: 'Não encontrado' },
  method_not_allowed: { en: 'Method not allowed', pt: 'Método não permitido' },
  rate_limited: { en: 'Too many requests', pt: 'Muitas requisições' },
  internal_error: { en: 'Internal server error', pt: 'Erro interno do servidor' },
  unavailable: { en: 'Service unavailable', pt: 'Serviço indisponível' },
}

const rows = errorCodes.flatMap((code) =>
  operationList.flatMap(({ name }) => locales.map((locale) => [code, name, locale] as const)),
)

describe('the message of a failure', () => {
  test.each(rows)('%s of %s in %s', (code, operation, locale) => {
    const expected = spokenByOperation.includes(code)
      ? ofOperation[operation][locale]
      : (general[code]?.[locale] ?? 'Invalid request')
    expect(failureMessage({ code, operation }, locale)).toBe(expected)
  })

  test.each(['item_id', 'purchase_code'])('invalid_parameter of %s is the operation’s', (parameter) => {
    for (const { name } of operationList) {
      for (const locale of locales) {
        const cause = { code: 'invalid_parameter', operation: name, parameter } as const
        expect(failureMessage(cause, locale)).toBe(ofOperation[name][locale])
      }
    }
  })

  test.each(['shape', 'api_key', undefined])('invalid_parameter of %s is not', (parameter) => {
    for (const locale of locales) {
      const cause = { code: 'invalid_parameter', operation: 'validatePurchase', parameter } as const
      expect(failureMessage(cause, locale)).toBe('Invalid request')
    }
  })

  test('outside an operation is a general one', () => {
    for (const code of errorCodes) {
      expect(Object.values(messages.en.general)).toContain(failureMessage({ code }, 'en'))
      expect(Object.values(messages.pt.general)).toContain(failureMessage({ code }, 'pt'))
    }
  })

  test('an expired key never says that the purchase code is wrong', () => {
    for (const code of [
      'expired_api_key',
      'revoked_api_key',
      'invalid_api_key',
      'rate_limited',
      'unavailable',
    ] as const) {
      expect(failureMessage({ code, operation: 'validatePurchase' }, 'en')).not.toMatch(/code/i)
      expect(failureMessage({ code, operation: 'validatePurchase' }, 'pt')).not.toMatch(/código/i)
    }
  })

  test('explanations are one sentence each, and other ones in each language', () => {
    for (const code of errorCodes) {
      const { en, pt } = { en: messages.en.explanations[code], pt: messages.pt.explanations[code] }
      for (const text of [en, pt]) expect(text).toMatch(/^\p{Lu}.*[^.]\.$/u)
      expect(en).not.toBe(pt)
    }
  })
})
