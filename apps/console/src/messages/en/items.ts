import type { ItemKind } from '@saleproof/schema'
import type { CappedCount, ItemSort, ItemState } from '@saleproof/schema/console'
import type { EditablePath, itemFields } from '@saleproof/schema/records'
import { plural } from '../plural.ts'

/** The fields that a page shows and edits. The URL names the workspace, and an item is withdrawn by a button. */
export type ItemPath = EditablePath<typeof itemFields> | 'id'

const hints: Readonly<Partial<Record<ItemPath, string>>> = {
  id: 'Cannot be changed later.',
  kind: 'A plugin, a theme or a script can be any of these. It needs no media but a preview image, such as a screenshot.',
  version: 'Three numbers, such as 1.0.0',
  options: 'Separated by commas',
  tags: 'Separated by commas',
  currency: 'Three letters, such as USD',
  'media.screenshots': 'One link per line',
}

export const items = {
  lead: 'What this workspace sells.',
  search: 'Search by name, category, tag or ID',
  allCategories: 'All categories',
  kind: 'Type',
  allKinds: 'All types',
  kinds: { image: 'Image', video: 'Video', audio: 'Audio' } satisfies Record<ItemKind, string>,
  states: { listed: 'Listed', withdrawn: 'Withdrawn' } satisfies Record<ItemState, string>,
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
  chooseItem: 'Select an item',
  searchItem: 'Search for an item…',
  noneFound: 'No items found',
  noneFoundText: 'Try another search, or remove a filter.',
  clearFilters: 'Clear search and filters',
  none: 'No items yet',
  noneText: 'Create the first one, or import a file.',
  form: {
    newTitle: 'New item',
    editTitle: (name: string) => `Edit ${name}`,
    edit: 'Edit item',
    details: 'Item',
    sale: 'Price and pages',
    search: 'Options and tags',
    create: 'Create item',
    extendedLower: 'The extended license costs less than the regular one.',
    hints,
  },
  isWithdrawn: (date: string) =>
    `Withdrawn on ${date}. The API leaves this item out of its list and answers for it as for an unknown item. Its purchases still validate.`,
  withdrawItem: {
    title: (name: string) => `Withdraw ${name}?`,
    text: 'The API stops showing this item immediately. Its purchases still validate, and you can bring it back at any time.',
    submit: 'Withdraw item',
    done: (name: string) => `${name} is withdrawn.`,
  },
  restoreItem: {
    title: (name: string) => `Bring ${name} back?`,
    text: 'The API shows this item again immediately.',
    submit: 'Bring back',
    done: (name: string) => `${name} is listed again.`,
  },
  details: 'Details',
  /** The labels of the fields, in the order of an item's page. A new field of items needs one here and in Portuguese. */
  fields: {
    id: 'ID',
    kind: 'Type',
    name: 'Name',
    description: 'Description',
    category: 'Category',
    sub_category: 'Subcategory',
    version: 'Version',
    published_at: 'Published',
    'price.regular': 'Regular price',
    'price.extended': 'Extended price',
    currency: 'Currency',
    support: 'Support included',
    url: 'Item page',
    demo_link: 'Demo',
    options: 'Options',
    tags: 'Tags',
    'media.thumbnail': 'Thumbnail',
    'media.preview_image': 'Preview image',
    'media.preview_video': 'Preview video',
    'media.preview_audio': 'Preview audio',
    'media.screenshots': 'Screenshots',
  } satisfies Record<ItemPath, string>,
  yes: 'Yes',
  no: 'No',
  sold: 'Sold',
  purchaseCount: ({ count, more }: CappedCount) =>
    `${more ? 'more than ' : ''}${plural('en', count, { one: 'purchase', other: 'purchases' })}`,
  media: {
    title: 'Media',
    text: 'Previews load on request, because other hosts serve the files.',
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
