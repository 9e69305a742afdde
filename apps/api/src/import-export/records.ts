import { itemKinds, locales, purchaseStates, ShapeSchema, VersionSchema } from '@saleproof/schema'
import * as v from 'valibot'
import {
  ApiKeySchema,
  boolean,
  CurrencySchema,
  EmailSchema,
  ItemIdSchema,
  itemIds,
  LinkSchema,
  links,
  MomentSchema,
  OptionalLinkSchema,
  PasswordHashSchema,
  PasswordSchema,
  PurchaseCodeSchema,
  SlugSchema,
  SocialLinksSchema,
  TextSchema,
  texts,
  UsernameSchema,
  WrittenAmountSchema,
} from './record-members.ts'

// In all of them a member that is left out is `undefined` and keeps what is stored; `null` clears it.

export const AccountRecordSchema = v.strictObject({
  type: v.literal('account'),
  username: UsernameSchema,
  email: EmailSchema,
  name: v.strictObject({ firstname: TextSchema, lastname: TextSchema, full_name: TextSchema }),
  balance: WrittenAmountSchema,
  currency: CurrencySchema,
  profile: v.strictObject({
    heading: TextSchema,
    description: TextSchema,
    contact: v.strictObject({ email: EmailSchema }),
    social_links: SocialLinksSchema,
    media: v.strictObject({ avatar: OptionalLinkSchema, cover: OptionalLinkSchema }),
  }),
  registered_at: MomentSchema,
  password: v.nullish(PasswordSchema),
  password_hash: v.nullish(PasswordHashSchema),
})

export const WorkspaceRecordSchema = v.strictObject({
  type: v.literal('workspace'),
  slug: SlugSchema,
  name: TextSchema,
  owner: UsernameSchema,
  shape: v.nullish(ShapeSchema),
  locale: v.nullish(v.picklist(locales, 'locale')),
})

export const ApiKeyRecordSchema = v.strictObject({
  type: v.literal('api_key'),
  workspace: SlugSchema,
  name: TextSchema,
  key: ApiKeySchema,
  publishable: v.nullish(boolean),
  items: v.nullish(itemIds),
  expires_at: v.nullish(MomentSchema),
  revoked_at: v.nullish(MomentSchema),
})

export const ItemRecordSchema = v.strictObject({
  type: v.literal('item'),
  workspace: SlugSchema,
  id: ItemIdSchema,
  kind: v.picklist(itemKinds, 'item_kind'),
  name: TextSchema,
  description: TextSchema,
  category: TextSchema,
  sub_category: TextSchema,
  options: texts,
  version: VersionSchema,
  demo_link: OptionalLinkSchema,
  tags: texts,
  media: v.strictObject({
    thumbnail: OptionalLinkSchema,
    preview_image: LinkSchema,
    preview_video: v.nullish(LinkSchema),
    preview_audio: v.nullish(LinkSchema),
    screenshots: links,
  }),
  price: v.strictObject({ regular: WrittenAmountSchema, extended: WrittenAmountSchema }),
  currency: CurrencySchema,
  url: LinkSchema,
  support: boolean,
  published_at: MomentSchema,
})

export const PurchaseRecordSchema = v.strictObject({
  type: v.literal('purchase'),
  item: ItemIdSchema,
  purchase_code: PurchaseCodeSchema,
  license_type: v.pipe(TextSchema, v.nonEmpty('not_empty')),
  price: WrittenAmountSchema,
  currency: CurrencySchema,
  supported_until: v.nullish(MomentSchema),
  downloaded: boolean,
  date: MomentSchema,
  state: v.nullish(v.picklist(purchaseStates, 'purchase_state')),
})

/** The schemas of a line, by its `type`, in the order in which an export writes them. */
export const recordSchemas = {
  account: AccountRecordSchema,
  workspace: WorkspaceRecordSchema,
  item: ItemRecordSchema,
  api_key: ApiKeyRecordSchema,
  purchase: PurchaseRecordSchema,
} as const

export type RecordType = keyof typeof recordSchemas

export const recordTypes = Object.keys(recordSchemas) as readonly RecordType[]

export type AccountRecord = v.InferOutput<typeof AccountRecordSchema>
export type WorkspaceRecord = v.InferOutput<typeof WorkspaceRecordSchema>
export type ApiKeyRecord = v.InferOutput<typeof ApiKeyRecordSchema>
export type ItemRecord = v.InferOutput<typeof ItemRecordSchema>
export type PurchaseRecord = v.InferOutput<typeof PurchaseRecordSchema>
export type ImportRecord = AccountRecord | WorkspaceRecord | ApiKeyRecord | ItemRecord | PurchaseRecord
