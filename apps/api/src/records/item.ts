import { itemFields } from '@saleproof/schema/records'
import type { ItemModel } from '../generated/sqlite/models.ts'
import { type RecordOf, type ReportIssue, recordTable } from './table.ts'

/** A video and an audio item have a preview of their own; other kinds have none. */
function checkPreviews({ kind, media }: RecordOf<typeof itemFields>, report: ReportIssue) {
  for (const previewed of ['video', 'audio'] as const) {
    const name = `preview_${previewed}` as const
    if (kind === previewed && !media[name]) report(`media.${name}`, 'required')
    if (kind !== previewed && media[name]) report(`media.${name}`, 'item_kind_media')
  }
}

export const itemTable = recordTable<keyof ItemModel>()(itemFields, {
  name: 'Item',
  columns: {
    workspace: { select: 'w."slug"' },
    id: 'id',
    kind: 'kind',
    name: 'name',
    description: 'description',
    category: 'category',
    sub_category: 'subCategory',
    options: 'options',
    version: 'version',
    demo_link: 'demoLink',
    tags: 'tags',
    'media.thumbnail': 'thumbnail',
    'media.preview_image': 'previewImage',
    // Whatever the kind becomes, the preview of another kind does not stay.
    'media.preview_video': { column: 'previewVideo', ifOmitted: 'clear' },
    'media.preview_audio': { column: 'previewAudio', ifOmitted: 'clear' },
    'media.screenshots': 'screenshots',
    'price.regular': 'priceRegular',
    'price.extended': 'priceExtended',
    currency: 'currency',
    url: 'url',
    support: 'support',
    published_at: 'publishedAt',
    withdrawn_at: 'withdrawnAt',
  },
  identity: { field: 'id', column: 'id' },
  exported: { from: '"Item" t JOIN "Workspace" w ON w."id" = t."workspaceId"', orderBy: 't."id"' },
  check: checkPreviews,
})
