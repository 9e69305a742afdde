import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { shapes } from '../constants.ts'
import { accountFields, exampleAccount } from './account.ts'
import { type Fields, fieldList, type View } from './fields.ts'
import { exampleItems, itemFields } from './item.ts'
import { keyFields } from './key.ts'
import { presentAccount, presentItem, presentPurchase } from './present.ts'
import { examplePurchase, purchaseFields } from './purchase.ts'
import { ItemSchemas, PurchaseSchemas } from './schemas.ts'
import { workspaceFields } from './workspace.ts'

const pathsIn = (fields: Fields, view: View) =>
  fieldList(fields).flatMap(({ path, field }) => (field.shown[view] ? [path] : []))

describe('the contract says which fields a response shows, and in which order:', () => {
  test('account', () => {
    expect(pathsIn(accountFields, 'base')).toEqual([
      'name.firstname',
      'name.lastname',
      'name.full_name',
      'username',
      'email',
      'balance',
      'currency',
      'profile.heading',
      'profile.description',
      'profile.contact.email',
      'profile.social_links',
      'profile.media.avatar',
      'profile.media.cover',
      'registered_at',
    ])
    expect(pathsIn(accountFields, 'extended')).toEqual(pathsIn(accountFields, 'base'))
  })

  test('item', () => {
    const [before, after] = [
      ['id', 'name', 'description', 'category', 'sub_category', 'options'],
      ['price.regular', 'price.extended', 'currency', 'published_at'],
    ]
    expect(pathsIn(itemFields, 'base')).toEqual([
      ...before,
      'demo_link',
      'tags',
      'media.preview_image',
      'media.screenshots',
      ...after,
    ])
    expect(pathsIn(itemFields, 'extended')).toEqual([
      ...before,
      'version',
      'demo_link',
      'tags',
      'media.thumbnail',
      'media.preview_image',
      'media.preview_video',
      'media.preview_audio',
      'media.screenshots',
      ...after,
    ])
    expect(pathsIn(itemFields, 'summary')).toEqual(['id', 'name', 'url', 'media.preview_image'])
  })

  test('purchase', () => {
    const [before, after] = [
      ['purchase_code', 'license_type'],
      ['downloaded', 'date'],
    ]
    expect(pathsIn(purchaseFields, 'base')).toEqual([...before, 'price', 'currency', 'item', ...after])
    expect(pathsIn(purchaseFields, 'extended')).toEqual([
      ...before,
      'currency',
      'item',
      'supported_until',
      ...after,
    ])
  })

  test('of workspaces and keys none', () => {
    for (const fields of [workspaceFields, keyFields])
      for (const shape of shapes) expect(pathsIn(fields, shape)).toEqual([])
  })
})

const [image, audio] = exampleItems

describe('a record as the API shows it', () => {
  test('has every field of its example, in the order of the table', () => {
    const stored = Object.assign({ password: 'never sent' }, exampleAccount)
    expect(Object.keys(presentAccount(stored))).toEqual(Object.keys(accountFields).slice(0, -2))
  })

  test.each(shapes)('fits its schema in the %s shape and holds nothing else', (shape) => {
    for (const item of exampleItems) {
      const shown = presentItem(item, shape)
      expect(v.parse(ItemSchemas[shape], shown)).toEqual(shown)
      const purchase = presentPurchase(examplePurchase, item, shape)
      expect(v.parse(PurchaseSchemas[shape], purchase)).toEqual(purchase)
    }
  })

  test('leaves out what does not belong to the kind of the item', () => {
    expect(presentItem(audio, 'extended').media).toEqual({
      thumbnail: '',
      preview_audio: 'https://cdn.example.com/100/preview.mp3',
    })
    const media = { ...image.media, preview_video: 'https://cdn.example.com/v.mp4', screenshots: [] }
    expect(Object.keys(presentItem({ ...image, media }, 'extended').media)).toEqual([
      'thumbnail',
      'preview_image',
    ])
    expect(Object.keys(presentItem({ ...image, kind: 'video', media }, 'extended').media)).toEqual([
      'thumbnail',
      'preview_image',
      'preview_video',
    ])
  })

  test('has the end of support only where the item offers support and the purchase has it', () => {
    const show = (support: boolean, supported_until: string | null) =>
      presentPurchase({ ...examplePurchase, supported_until }, { ...image, support }, 'extended')
    expect(show(true, '2025-05-01T12:15:00.5+02:00')).toHaveProperty(
      'supported_until',
      '2025-05-01T10:15:00Z',
    )
    expect(show(false, '2025-05-01T10:15:00Z')).not.toHaveProperty('supported_until')
    expect(show(true, null)).not.toHaveProperty('supported_until')
  })

  test('writes amounts exactly, and refuses what is no time', () => {
    expect(presentPurchase({ ...examplePurchase, price: '19.90' }, image, 'base')).toHaveProperty(
      'price',
      19.9,
    )
    expect(() => presentAccount({ ...exampleAccount, registered_at: 'today' })).toThrow(RangeError)
  })
})
