import type { ItemKind, Shape } from '../constants.ts'
import { everywhere, type Fields, inBothShapes, nowhere } from './fields.ts'

/** What an item has in both shapes, but for `version` and `media`. */
export interface ItemCommon {
  /** 1 to 2^53 - 1, unique in the whole deployment. */
  id: number
  name: string
  description: string
  category: string
  sub_category: string
  options: string[]
  /** An absolute http(s) URL, or `""`. */
  demo_link: string
  tags: string[]
  /** Prices for each license type, in whole units of `currency`. */
  price: { regular: number; extended: number }
  /** ISO 4217. */
  currency: string
  /** `YYYY-MM-DDTHH:mm:ssZ`, UTC. */
  published_at: string
}

/** An item in the base shape. */
export interface ItemBase extends ItemCommon {
  media: { preview_image: string; screenshots: string[] }
}

/** An item in the extended shape. */
export interface ItemExtended extends ItemCommon {
  /** The item's own version: major.minor.patch. */
  version: string
  media: {
    /** An absolute http(s) URL, or `""`. */
    thumbnail: string
    /** Not for audio items. */
    preview_image?: string
    /** Only for video items. */
    preview_video?: string
    /** Only for audio items. */
    preview_audio?: string
    /** Only where there are some. */
    screenshots?: string[]
  }
}

/** An item in the shape `S`. Without an argument it is either; `'version' in item` tells which. */
export type Item<S extends Shape = Shape> = S extends 'extended' ? ItemExtended : ItemBase

/** The item inside a purchase in the base shape. */
export interface ItemSummary {
  id: number
  name: string
  /** The item's page, an absolute http(s) URL. */
  url: string
  media: { preview_image: string }
}

/** An item in the import format. */
export interface ItemRecord {
  readonly type: 'item'
  readonly workspace: string
  readonly id: number
  readonly kind: ItemKind
  readonly name: string
  readonly description: string
  readonly category: string
  readonly sub_category: string
  readonly options: readonly string[]
  readonly version: string
  readonly demo_link: string
  readonly tags: readonly string[]
  readonly media: {
    readonly thumbnail: string
    readonly preview_image: string
    readonly preview_video?: string
    readonly preview_audio?: string
    readonly screenshots: readonly string[]
  }
  readonly price: { readonly regular: number | string; readonly extended: number | string }
  readonly currency: string
  readonly url: string
  readonly support: boolean
  readonly published_at: string
  /** When the seller withdrew it: it leaves both item operations, its purchases still validate. */
  readonly withdrawn_at?: string | null
}

/** The fields of an item. */
export const itemFields = {
  /** A slug. */
  workspace: { type: 'slug', shown: nowhere, fixed: true },
  id: { type: 'item_id', shown: everywhere, fixed: true },
  kind: { type: 'item_kind', shown: nowhere },
  name: { type: 'text', shown: everywhere },
  url: { type: 'link', shown: { summary: 'always' } },
  description: { type: 'text', shown: inBothShapes },
  category: { type: 'text', shown: inBothShapes },
  sub_category: { type: 'text', shown: inBothShapes },
  options: { type: 'texts', shown: inBothShapes },
  version: { type: 'version', shown: { extended: 'always' } },
  demo_link: { type: 'optional_link', shown: inBothShapes },
  tags: { type: 'texts', shown: inBothShapes },
  media: {
    thumbnail: { type: 'optional_link', shown: { extended: 'always' } },
    preview_image: { type: 'link', shown: { base: 'always', extended: 'not_audio', summary: 'always' } },
    preview_video: { type: 'link', shown: { extended: 'video_only' }, optional: true },
    preview_audio: { type: 'link', shown: { extended: 'audio_only' }, optional: true },
    screenshots: { type: 'links', shown: { base: 'always', extended: 'not_empty' } },
  },
  price: {
    regular: { type: 'price', shown: inBothShapes },
    extended: { type: 'price', shown: inBothShapes },
  },
  currency: { type: 'currency', shown: inBothShapes },
  support: { type: 'boolean', shown: nowhere },
  published_at: { type: 'timestamp', shown: inBothShapes },
  withdrawn_at: { type: 'timestamp', shown: nowhere, optional: true, fixed: true },
} as const satisfies Fields

/** What the OpenAPI document says of the fields, by path. What it says of conditions stands with these. */
export const itemDescriptions = {
  'media.screenshots': 'Empty where there are none.',
  price: 'What the item costs for each license type, in `currency`.',
}

/** The items of the OpenAPI examples. */
export const exampleItems: readonly [ItemRecord, ItemRecord] = [
  {
    type: 'item',
    workspace: 'ada-studio',
    id: 101,
    kind: 'image',
    name: 'Paper Textures',
    url: 'https://shop.example.com/paper-textures',
    description: 'Forty scanned sheets of paper.',
    category: 'Graphics',
    sub_category: 'Textures',
    options: ['PNG', 'Layered'],
    version: '1.4.2',
    demo_link: 'https://demo.example.com/paper',
    tags: ['paper', 'texture'],
    media: {
      thumbnail: 'https://cdn.example.com/101/thumbnail.jpg',
      preview_image: 'https://cdn.example.com/101/preview.jpg',
      screenshots: ['https://cdn.example.com/101/1.jpg'],
    },
    price: { regular: 19.99, extended: 99 },
    currency: 'USD',
    support: true,
    published_at: '2024-04-27T12:00:00Z',
  },
  {
    type: 'item',
    workspace: 'ada-studio',
    id: 100,
    kind: 'audio',
    name: 'Soft Clicks',
    url: 'https://shop.example.com/soft-clicks',
    description: 'Twelve sounds for buttons.',
    category: 'Audio',
    sub_category: 'Interface',
    options: [],
    version: '2.0.0',
    demo_link: '',
    tags: ['click'],
    media: {
      thumbnail: '',
      preview_image: 'https://cdn.example.com/100/preview.jpg',
      preview_audio: 'https://cdn.example.com/100/preview.mp3',
      screenshots: [],
    },
    price: { regular: 900, extended: 4500 },
    currency: 'JPY',
    support: true,
    published_at: '2023-11-02T09:30:00Z',
  },
]
