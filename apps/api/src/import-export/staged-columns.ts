import type { RecordType } from './records.ts'

export interface StagedColumn {
  name: string
  type: 'text' | 'integer' | 'boolean' | 'bytes'
}

/** The columns of the staged records, after `line`, in the order in which `rows.ts` gives them; texts where nothing else is said. */
const columns = {
  account: `username email firstname lastname fullName balance:integer currency heading description contactEmail
    socialLinks avatar cover registeredAt passwordHash id`,
  workspace: 'slug name owner shape locale createdAt id',
  api_key:
    'workspace name publishable:boolean expiresAt revokedAt items keyHash keyCipher:bytes createdAt id',
  item: `id:integer workspace kind name description category subCategory options version demoLink tags thumbnail
    previewImage previewVideo previewAudio screenshots priceRegular:integer priceExtended:integer currency url
    support:boolean publishedAt`,
  purchase: `code itemId:integer licenseType price:integer currency supportedUntil downloaded:boolean date state`,
} as const satisfies Record<RecordType, string>

export const stagedColumns = (type: RecordType): StagedColumn[] =>
  columns[type].split(/\s+/).map((column) => {
    const [name = '', kind = 'text'] = column.split(':')
    return { name, type: kind as StagedColumn['type'] }
  })
