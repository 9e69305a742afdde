import { expect, test } from 'vitest'
import { newDraft, readValues, toDraft, toEdit, toRecord } from './item-fields.ts'

const record = {
  id: 101,
  kind: 'video',
  name: 'Harbour',
  description: 'Boats.\n\nAnd gulls. ',
  category: 'Footage',
  sub_category: '',
  options: ['4K', 'loop'],
  version: '1.4.2',
  demo_link: '',
  tags: [],
  media: {
    thumbnail: '',
    preview_image: 'https://example.com/1.png',
    preview_video: 'https://example.com/1.mp4',
    screenshots: ['https://example.com/2.png', 'https://example.com/3.png'],
  },
  price: { regular: 19.99, extended: 99 },
  currency: 'USD',
  url: 'https://example.com/101',
  support: false,
  published_at: '2024-04-27T12:34:56Z',
} as const
const read = readValues(record)
const draft = toDraft(read)

test('an item that was not edited is the same, but for prices as text', () => {
  const price = { regular: '19.99', extended: '99' }
  expect(toRecord(draft)).toEqual({ type: 'item', ...record, price })
})

test('what was typed is tidied up', () => {
  const typed = { name: ' Harbour ', options: ' 4K,, loop ', currency: ' usd', 'price.regular': '5,50' }
  expect(toRecord({ ...draft, ...typed })).toMatchObject({
    name: 'Harbour',
    options: ['4K', 'loop'],
    currency: 'USD',
    price: { regular: '5.50' },
  })
})

test('only the preview of its kind is sent, and cleared where it is empty', () => {
  expect(toRecord({ ...draft, kind: 'audio' })).toMatchObject({ media: { preview_audio: null } })
  const image = toRecord({ ...draft, kind: 'image' })
  expect(image).not.toHaveProperty('media.preview_video')
  expect(image).not.toHaveProperty('media.preview_audio')
})

test('a new item has every field of the form', () => {
  expect(Object.keys(newDraft('1', 'BRL'))).toEqual(expect.arrayContaining(Object.keys(draft)))
  expect(toRecord(newDraft('1', 'BRL'))).toMatchObject({
    id: 1,
    kind: 'image',
    currency: 'BRL',
    support: true,
  })
})

test('an edit is of the fields that were touched, and of those that the new kind has not', () => {
  expect(toEdit(draft, read)).toEqual({ changes: {}, before: {} })
  expect(toEdit({ ...draft, name: 'Port ', 'price.regular': '5,50' }, read)).toEqual({
    changes: { name: 'Port', 'price.regular': '5.50' },
    before: { name: 'Harbour', 'price.regular': 19.99 },
  })
  expect(toEdit({ ...draft, kind: 'image' }, read)).toEqual({
    changes: { kind: 'image', 'media.preview_video': null },
    before: { kind: 'video', 'media.preview_video': 'https://example.com/1.mp4' },
  })
})
