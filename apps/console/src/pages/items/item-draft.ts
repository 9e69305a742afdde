import type { ConsoleItemDetail, ImportedRecord } from '@saleproof/schema/console'
import type { ItemKind } from '@saleproof/schema/constants'

/** An item as the fields of the form hold it. */
export interface ItemDraft {
  id: string
  kind: ItemKind
  name: string
  description: string
  category: string
  sub_category: string
  /** Separated by commas. */
  options: string
  tags: string
  version: string
  demo_link: string
  url: string
  thumbnail: string
  preview_image: string
  preview_video: string
  preview_audio: string
  /** One on each line. */
  screenshots: string
  regular: string
  extended: string
  currency: string
  support: 'yes' | 'no'
  /** A day, in UTC. */
  published: string
  /** The time of that day, which the form does not show. */
  publishedTime: string
}

export function emptyDraft(id: string, currency: string): ItemDraft {
  const now = new Date().toISOString()
  return {
    id,
    kind: 'image',
    name: '',
    description: '',
    category: '',
    sub_category: '',
    options: '',
    tags: '',
    version: '1.0.0',
    demo_link: '',
    url: '',
    thumbnail: '',
    preview_image: '',
    preview_video: '',
    preview_audio: '',
    screenshots: '',
    regular: '',
    extended: '',
    currency,
    support: 'yes',
    published: now.slice(0, 10),
    publishedTime: now.slice(10),
  }
}

export function draftOf({ item, extended, ...detail }: ConsoleItemDetail): ItemDraft {
  return {
    id: String(item.id),
    kind: item.kind,
    name: item.name,
    description: extended.description,
    category: item.category,
    sub_category: item.sub_category,
    options: extended.options.join(', '),
    tags: extended.tags.join(', '),
    version: item.version,
    demo_link: extended.demo_link,
    url: item.url,
    thumbnail: item.thumbnail,
    preview_image: item.preview_image,
    preview_video: detail.preview_video ?? '',
    preview_audio: detail.preview_audio ?? '',
    screenshots: detail.screenshots.join('\n'),
    regular: String(item.price.regular),
    extended: String(item.price.extended),
    currency: item.currency,
    support: item.support ? 'yes' : 'no',
    published: item.published_at.slice(0, 10),
    publishedTime: item.published_at.slice(10),
  }
}

const listOf = (text: string, separator: RegExp) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean)

/** A price with a decimal comma means the same; the service checks the rest. */
const priceOf = (text: string) => text.trim().replace(',', '.')

/** The item in the import format. */
export function recordOf(draft: ItemDraft): ImportedRecord {
  const { kind } = draft
  return {
    type: 'item',
    id: Number(draft.id),
    kind,
    name: draft.name.trim(),
    description: draft.description,
    category: draft.category.trim(),
    sub_category: draft.sub_category.trim(),
    options: listOf(draft.options, /,/),
    version: draft.version.trim(),
    demo_link: draft.demo_link.trim(),
    tags: listOf(draft.tags, /,/),
    media: {
      thumbnail: draft.thumbnail.trim(),
      preview_image: draft.preview_image.trim(),
      ...(kind === 'video' && { preview_video: draft.preview_video.trim() }),
      ...(kind === 'audio' && { preview_audio: draft.preview_audio.trim() }),
      screenshots: listOf(draft.screenshots, /\n/),
    },
    price: { regular: priceOf(draft.regular), extended: priceOf(draft.extended) },
    currency: draft.currency.trim().toUpperCase(),
    url: draft.url.trim(),
    support: draft.support === 'yes',
    published_at: `${draft.published}${draft.publishedTime}`,
  }
}
