import type { ItemExtended, ItemKind } from '@saleproof/schema'
import type { CappedCount, ConsoleItem, ItemSort } from '@saleproof/schema/console'
import { plural } from '../plural.ts'

/** The fields that the item page lists: all but those that it shows elsewhere. */
type ItemField = Exclude<
  keyof ItemExtended | keyof ConsoleItem,
  'name' | 'description' | 'kind' | 'currency' | 'media' | 'thumbnail' | 'preview_image'
>

export const items = {
  title: 'Items',
  lead: 'What this workspace sells.',
  search: 'Search by name, category, tag or ID',
  filters: 'Search and filters',
  category: 'Category',
  allCategories: 'All categories',
  kind: 'Type',
  allKinds: 'All types',
  kinds: { image: 'Image', video: 'Video', audio: 'Audio' } satisfies Record<ItemKind, string>,
  sort: 'Sort by',
  sorts: {
    '-published_at': 'Newest first',
    published_at: 'Oldest first',
    name: 'Name, A to Z',
    '-name': 'Name, Z to A',
    id: 'ID, ascending',
    '-id': 'ID, descending',
  } satisfies Record<ItemSort, string>,
  count: (count: number) => plural('en', count, { one: 'item', other: 'items' }),
  columns: { item: 'Item', regular: 'Regular', extended: 'Extended' },
  noneFound: 'No items found',
  noneFoundText: 'Try another search, or remove a filter.',
  clearFilters: 'Clear search and filters',
  none: 'No items yet',
  noneText: 'Import items from a file with one record per line:',
  details: 'Details',
  /** The labels of the fields, in the order of the page. A new field of items needs one here and in Portuguese. */
  fields: {
    id: 'ID',
    category: 'Category',
    sub_category: 'Subcategory',
    version: 'Version',
    published_at: 'Published',
    price: 'Price',
    support: 'Support included',
    url: 'Item page',
    demo_link: 'Demo',
    options: 'Options',
    tags: 'Tags',
  } satisfies Record<ItemField, string>,
  yes: 'Yes',
  no: 'No',
  sold: 'Sold',
  purchaseCount: ({ count, more }: CappedCount) =>
    `${more ? 'more than ' : ''}${plural('en', count, { one: 'purchase', other: 'purchases' })}`,
  media: {
    title: 'Media',
    text: 'Previews load on request, because other hosts serve the files.',
    names: {
      thumbnail: 'Thumbnail',
      preview_image: 'Preview image',
      preview_video: 'Preview video',
      preview_audio: 'Preview audio',
    },
    screenshot: (number: number) => `Screenshot ${number}`,
    from: (host: string) => `From ${host}`,
    load: 'Load preview',
    loadNamed: (name: string) => `Load preview: ${name}`,
    hide: 'Hide',
    open: 'Open in a new tab',
  },
  shapes: {
    title: 'API response',
    text: 'Highlighted lines are in only one of the shapes.',
    base: 'Base shape',
    extended: 'Extended shape',
    isDefault: 'default',
    copy: 'Copy JSON',
  },
}
