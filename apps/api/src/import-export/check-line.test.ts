import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sample, samples } from '../../test/support/import-records.ts'
import { checkLine } from './check-line.ts'

const issuesOf = (record: unknown) => {
  const checked = checkLine(typeof record === 'string' ? record : JSON.stringify(record))
  return 'issues' in checked ? checked.issues.map(({ field, issue }) => `${field}: ${issue}`) : []
}

const { account, workspace, item, key, purchase } = sample
const withLinks = (social_links: unknown) => ({ ...account, profile: { ...account.profile, social_links } })

describe('checkLine', () => {
  test.each(samples.map((record) => [record.type, record] as const))('takes a right %s', (_, record) => {
    expect(issuesOf(record)).toEqual([])
  })

  test.each([
    ['not JSON', '{"type":', 'null: json'],
    ['a list', '[]', 'null: json'],
    ['a text', '"account"', 'null: json'],
    ['no type', {}, 'type: required'],
    ['another type', { type: 'refund' }, 'type: record_type'],
    ['the name of a built-in as type', { type: 'toString' }, 'type: record_type'],
    ['an unknown field', { ...purchase, colour: 1 }, 'colour: unknown'],
    ['an unknown field that may be a secret', { ...purchase, sp_0123456789abcdef: 1 }, 'null: unknown'],
    ['an unknown field inside', { ...item, media: { ...item.media, gif: 1 } }, 'media.gif: unknown'],
    ['a field left out', { ...purchase, date: undefined }, 'date: required'],
    ['null for what must be there', { ...purchase, date: null }, 'date: timestamp'],
    [
      'a field twice',
      '{"type":"workspace","slug":"a","slug":"b","name":"","owner":"ada"}',
      'null: duplicate_field',
    ],
    [
      'a field twice, escaped',
      '{"type":"workspace","slug":"a","sl\\u0075g":"b","name":"","owner":"a"}',
      'null: duplicate_field',
    ],
    ['a lone surrogate', { ...item, name: '\ud800' }, 'name: well_formed'],
    ['U+0000', { ...item, tags: ['a\0'] }, 'tags.0: well_formed'],
    ['a time without an offset', { ...purchase, date: '2024-04-27T12:00:00' }, 'date: timestamp'],
    ['an item id of 0', { ...item, id: 0 }, 'id: item_id'],
    ['an item id past 2^53 - 1', { ...purchase, item: 2 ** 53 }, 'item: item_id'],
    ['an item id as text', { ...purchase, item: '101' }, 'item: item_id'],
    ['a link without a scheme', { ...item, url: 'example.com' }, 'url: link'],
    ['a link of another scheme', { ...item, demo_link: 'javascript:alert(1)' }, 'demo_link: link'],
    ['an empty code', { ...purchase, purchase_code: '\u200b ' }, 'purchase_code: not_empty'],
    [
      'a code of 256 characters',
      { ...purchase, purchase_code: 'x'.repeat(256) },
      'purchase_code: credential_length',
    ],
    ['a key of 15 characters', { ...key, key: 'x'.repeat(15) }, 'key: key_format'],
    ['a key with a space', { ...key, key: 'x x'.repeat(16) }, 'key: key_format'],
    ['a slug in capitals', { ...workspace, slug: 'Studio' }, 'slug: slug'],
    ['a username with white space', { ...account, username: 'a b' }, 'username: username'],
    ['an address without @', { ...account, email: 'ada' }, 'email: email'],
    ['a short password', { ...account, password: '1234567' }, 'password: password'],
    [
      'another kind of hash',
      { ...account, password_hash: '$2b$12$abcdefghijklmnopqrstuv' },
      'password_hash: password_hash',
    ],
    [
      'a network that is a whole number',
      withLinks({ 1: 'https://example.com' }),
      'profile.social_links: network',
    ],
    ['a list of links', withLinks([]), 'profile.social_links: map'],
    ['an empty license', { ...purchase, license_type: '' }, 'license_type: not_empty'],
    ['another kind', { ...item, kind: 'font' }, 'kind: item_kind'],
    ['another state', { ...purchase, state: 'lost' }, 'state: purchase_state'],
    ['a version of two numbers', { ...item, version: '1.4' }, 'version: version'],
    ['an object for a text', { ...item, name: {} }, 'name: text'],
  ])('refuses %s', (_, record, problem) => {
    expect(issuesOf(record)).toEqual([problem])
  })

  test('of a workspace, takes items and purchases alone', () => {
    const checked = samples.map((record) => checkLine(JSON.stringify(record), 'lisboa'))
    const refused = { issues: [{ field: 'type', issue: 'own_record_type' }] }
    expect(checked.map((each) => ('record' in each ? each.record.type : each))).toEqual(
      samples.map(({ type }) => (['item', 'purchase'].includes(type) ? type : refused)),
    )
  })

  test('refuses names that JavaScript would drop from an object', () => {
    const line = JSON.stringify(withLinks({ NAME: 'https://example.com' }))
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      expect(issuesOf(line.replace('NAME', name))).toEqual(['profile.social_links: network'])
    }
  })

  test('lists everything that is wrong with a line', () => {
    const issues = issuesOf({ ...purchase, item: 0, downloaded: 'no', date: '' })
    expect(issues).toEqual(['item: item_id', 'downloaded: boolean', 'date: timestamp'])
  })

  test('never repeats a value, however the line is mangled', () => {
    const canary = 'canary0SECRET1value2'
    const lines = [
      { ...key, key: canary },
      { ...purchase, purchase_code: canary },
      { ...account, email: `${canary}@example.com`, password: canary },
    ].map((record) => JSON.stringify(record))
    const cut = fc.record({
      from: fc.nat(600),
      length: fc.nat(40),
      insert: fc.constantFrom('', '"', ':', '{', ',', 'x', '\\'),
    })
    const property = fc.property(
      fc.constantFrom(...lines),
      fc.array(cut, { minLength: 1, maxLength: 3 }),
      (line, cuts) => {
        const mangled = cuts.reduce(
          (text, { from, length, insert }) => text.slice(0, from) + insert + text.slice(from + length),
          line,
        )
        const checked = checkLine(mangled)
        if ('issues' in checked) expect(JSON.stringify(checked)).not.toContain('SECRET')
      },
    )
    fc.assert(property, { numRuns: 2000 })
  })

  test('survives nesting of any depth', () => {
    const deep = `{"type":"workspace","slug":${'['.repeat(200_000)}${']'.repeat(200_000)},"name":"","owner":"ada"}`
    expect(issuesOf(deep)).toEqual(['slug: text'])
  })
})
