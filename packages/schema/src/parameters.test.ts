import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  ApiKeyParameterSchema,
  cleanPastedCode,
  ItemIdParameterSchema,
  maxCredentialLength,
  PurchaseCodeParameterSchema,
  ShapeSchema,
} from './index.ts'

describe('item_id', () => {
  test.each([
    ['1', 1],
    ['101', 101],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    [7, 7],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ])('%j is %d', (value, id) => {
    expect(v.parse(ItemIdParameterSchema, value)).toBe(id)
  })

  const refused = [
    '1.0',
    '1e3',
    '0x10',
    '+1',
    '-1',
    '007',
    '0',
    '12abc',
    '',
    ' 1',
    '1 ',
    '1\n',
    '٣',
    '1_000',
    'NaN',
  ]
  const tooLarge = ['9007199254740992', '9007199254740993', '99999999999999999999', 2 ** 53]
  test.each([
    ...refused,
    ...tooLarge,
    0,
    -1,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    null,
    ['1'],
    { a: 1 },
  ])('%j is none', (value) => {
    expect(v.is(ItemIdParameterSchema, value)).toBe(false)
  })

  test('every whole number in range, and no other text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (id) => {
        expect(v.parse(ItemIdParameterSchema, String(id))).toBe(id)
        expect(v.is(ItemIdParameterSchema, `0${id}`)).toBe(false)
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(v.is(ItemIdParameterSchema, text)).toBe(
          /^[1-9][0-9]*$/.test(text) && Number(text) <= 2 ** 53 - 1,
        )
      }),
    )
  })
})

describe.each([
  ['api_key', ApiKeyParameterSchema],
  ['purchase_code', PurchaseCodeParameterSchema],
])('%s', (_name, schema) => {
  test('is trimmed and otherwise kept as it is', () => {
    expect(v.parse(schema, '\t aB c-\u00e9 \r\n')).toBe('aB c-\u00e9')
  })

  test('has at most 255 code points', () => {
    const pair = '\u{1f600}'
    for (const unit of ['x', '\u00e9', pair]) {
      expect(v.is(schema, unit.repeat(maxCredentialLength))).toBe(true)
      expect(v.is(schema, unit.repeat(maxCredentialLength + 1))).toBe(false)
    }
    expect(v.is(schema, ` ${'x'.repeat(maxCredentialLength)} `)).toBe(true)
  })

  test.each([
    '',
    '   ',
    '\ufeff',
    'a\0b',
    '\0',
    '\ud800',
    'a\udc00',
    '\udc00\ud800',
    1,
    true,
    null,
    undefined,
    ['a'],
    {},
  ])('%j is refused', (value) => {
    expect(v.is(schema, value)).toBe(false)
  })
})

test.each(['base', 'extended'])('shape %s', (shape) => expect(v.parse(ShapeSchema, shape)).toBe(shape))
test.each(['', 'Base', ' base', 'toString', null, ['base']])('shape %j is refused', (shape) => {
  expect(v.is(ShapeSchema, shape)).toBe(false)
})

const vectors: { codes: { name: string; sent: string; form: string | null }[] } = JSON.parse(
  readFileSync(new URL('../../../clients/codes.json', import.meta.url), 'utf8'),
)

describe('a purchase code', () => {
  test.each(vectors.codes)('$name', ({ sent, form }) => {
    const { success, output } = v.safeParse(PurchaseCodeParameterSchema, sent)
    expect(success ? output : null).toBe(form)
    if (form !== null) expect(cleanPastedCode(form)).toBe(form)
  })

  test('has one form', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'e\u0301\u0323\u200b\u2060 \u2011\uff0d\u00a8\u1100\u1161') }),
        (code) => {
          expect(cleanPastedCode(cleanPastedCode(code))).toBe(cleanPastedCode(code))
        },
      ),
    )
  })
})

describe('a pasted code', () => {
  test.each(['\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212', '\uff0d', '\ufe63'])(
    '%j is a dash',
    (dash) => {
      expect(cleanPastedCode(`AB${dash}CD`)).toBe('AB-CD')
    },
  )

  test.each(['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff'])('%j is left out', (invisible) => {
    expect(cleanPastedCode(`${invisible}A${invisible}B${invisible} `)).toBe('AB')
  })

  test('is composed, and wide letters are narrow', () => {
    expect(cleanPastedCode('e\u0301\uff21\uff11\u00a0')).toBe('\u00e9A1')
  })

  test('of plain characters stays as it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~]([ -~]*[!-~])?$/), (code) => {
        expect(cleanPastedCode(code)).toBe(code)
      }),
    )
  })

  test('has no character left to clean', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (code) => {
        expect(cleanPastedCode(code)).not.toMatch(/[\u200b-\u200d\u2060\ufeff\u2010-\u2015\u2212]/)
      }),
    )
  })
})
