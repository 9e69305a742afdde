import * as v from 'valibot'
import {
  CurrencySchema,
  ItemIdSchema,
  LinkSchema,
  OptionalLinkSchema,
  PriceSchema,
  TextSchema,
  TimestampSchema,
  VersionSchema,
} from './primitives.ts'
import type { Shape } from './shape.ts'

/** What an item is made of. It decides the media members of the extended shape and is never sent itself. */
export const itemKinds = ['image', 'video', 'audio'] as const

/** The kind of an item: `image`, `video` or `audio`. */
export type ItemKind = (typeof itemKinds)[number]

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

const before = {
  id: ItemIdSchema,
  name: TextSchema,
  description: TextSchema,
  category: TextSchema,
  sub_category: TextSchema,
  options: v.array(TextSchema),
}

const price = {
  price: v.object({ regular: PriceSchema, extended: PriceSchema }),
  currency: CurrencySchema,
  published_at: TimestampSchema,
}

/** An item in the base shape. Added members are taken and left out of the result. */
export const ItemBaseSchema = v.object({
  ...before,
  demo_link: OptionalLinkSchema,
  tags: v.array(TextSchema),
  media: v.object({ preview_image: LinkSchema, screenshots: v.array(LinkSchema) }),
  ...price,
})

/** An item in the extended shape. Added members are taken and left out of the result. */
export const ItemExtendedSchema = v.object({
  ...before,
  version: VersionSchema,
  demo_link: OptionalLinkSchema,
  tags: v.array(TextSchema),
  media: v.object({
    thumbnail: OptionalLinkSchema,
    preview_image: v.exactOptional(LinkSchema),
    preview_video: v.exactOptional(LinkSchema),
    preview_audio: v.exactOptional(LinkSchema),
    screenshots: v.exactOptional(v.pipe(v.array(LinkSchema), v.nonEmpty('not_empty'))),
  }),
  ...price,
})

/**
 * The schema of an item, by shape.
 *
 * @example
 * v.parse(ItemSchemas.base, answer.item).media.screenshots
 */
export const ItemSchemas = { base: ItemBaseSchema, extended: ItemExtendedSchema } as const
