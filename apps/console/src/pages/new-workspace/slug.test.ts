import { SlugSchema } from '@saleproof/schema/console'
import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { slugify } from './slug.ts'

test.each([
  ['Demo Studio', 'demo-studio'],
  ['São João & Filhos!', 'sao-joao-filhos'],
  ['  a  ', 'a'],
  ['日本', ''],
])('%s becomes %s', (name, slug) => {
  expect(slugify(name)).toBe(slug)
})

test('a slug is valid or empty', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
      const slug = slugify(name)
      expect(slug === '' || v.is(SlugSchema, slug)).toBe(true)
    }),
  )
})
