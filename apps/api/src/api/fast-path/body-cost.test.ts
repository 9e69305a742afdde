import { operations } from '@saleproof/schema'
import { expect, test } from 'vitest'
import { costsOf } from '../../../test/support/cost.ts'
import { jsonFields } from '../../http/json-fields.ts'
import { type FastPathRequest, takeBody } from './request.ts'

const limit = 16 * 1024

const request = (body: 'json' | 'form'): FastPathRequest => ({
  operation: operations.validatePurchase,
  parameters: {
    api_key: undefined,
    item_id: undefined,
    purchase_code: undefined,
    shape: undefined,
    pass: undefined,
  },
  acceptLanguage: undefined,
  acceptEncoding: undefined,
  ifNoneMatch: undefined,
  requestId: undefined,
  body,
  bodyLength: 0,
})

/** Bodies of a size, each made of many small parts or of one large one. */
const bodies: Record<string, (size: number) => string> = {
  'short fields': (size) =>
    `{${Array.from({ length: size / 9 }, (_, n) => `"${n.toString(36).padStart(3, '_')}":1`)}}`,
  'fields of one name': (size) => `{${Array.from({ length: size / 7 }, () => '"aaa":1')}}`,
  'empty names': (size) => `{${Array.from({ length: size / 5 }, () => '"":1')}}`,
  'a long name': (size) => `{"${'a'.repeat(size - 10)}":1}`,
  'a long value': (size) => `{"purchase_code":"${'a'.repeat(size - 30)}"}`,
  spaces: (size) => `{"a":1${' '.repeat(size - 10)}}`,
  'a list': (size) => `{"a":[${'1,'.repeat(size / 2 - 10)}1]}`,
  'deep lists': (size) => `{"a":${'['.repeat(size / 2 - 10)}${']'.repeat(size / 2 - 10)}}`,
  'deep objects': (size) => `{"a":${'{"a":'.repeat(size / 6 - 10)}1${'}'.repeat(size / 6 - 10)}}`,
  quotes: (size) => '"'.repeat(size),
  brackets: (size) => '['.repeat(size),
  pairs: (size) => 'a=1&'.repeat(size / 4),
  ampersands: (size) => '&'.repeat(size),
}

function readAll(text: string) {
  takeBody(request('json'), Buffer.from(text))
  takeBody(request('form'), Buffer.from(text))
  jsonFields(text)
}

test.each(Object.entries(bodies))('a body costs what it weighs: %s', (_name, bodyOf) => {
  const texts = [bodyOf(limit), bodyOf(limit / 2), `{"a":"${'a'.repeat(limit - 8)}"}`]
  const [whole, half, plain] = costsOf(
    texts.map((text) => () => readAll(text)),
    25,
  )
  expect(whole).toBeLessThan(2.5 * half! + 0.1)
  // Each of many parts is an object of its own.
  expect(whole).toBeLessThan(50 * plain!)
})
