import { parseMoney } from '@saleproof/schema'
import type { RecordIssue } from '@saleproof/schema/records'
import type { AccountRecord, ApiKeyRecord, ItemRecord, PurchaseRecord, WorkspaceRecord } from './records.ts'

/** What a rule that looks at several members found. */
export type Report = (member: string, issue: RecordIssue) => void

export type Value = string | number | Uint8Array | null

/** In the rows of staging, an optional member that was left out. `null` is one that was given as `null`. */
export const absent = ''

const given = (value: string | null | undefined) => (value === undefined ? absent : value)
const flag = (value: boolean) => (value ? 1 : 0)

interface Money {
  member: string
  value: number | string
  currency: string
  mayBeNegative?: boolean
}

function minorUnits({ member, value, currency, mayBeNegative = false }: Money, report: Report): number {
  const result = parseMoney(value, currency)
  if ('problem' in result) {
    report(result.problem === 'currency' ? 'currency' : member, result.problem)
    return 0
  }
  if (result.minor < 0 && !mayBeNegative) report(member, 'amount_negative')
  return result.minor
}

/** The row of an account, but for its id and password. */
export function accountRow(record: AccountRecord, report: Report): Value[] {
  const { name, profile, currency } = record
  if (record.password && record.password_hash) report('password', 'password_twice')
  const balance = { member: 'balance', value: record.balance, currency, mayBeNegative: true }
  return [
    record.username,
    record.email,
    name.firstname,
    name.lastname,
    name.full_name,
    minorUnits(balance, report),
    currency,
    profile.heading,
    profile.description,
    profile.contact.email,
    JSON.stringify(profile.social_links),
    profile.media.avatar,
    profile.media.cover,
    record.registered_at,
  ]
}

export const workspaceRow = (record: WorkspaceRecord): Value[] => [
  record.slug,
  record.name,
  record.owner,
  given(record.shape),
  given(record.locale),
]

/** The items of a key, each once and in order, so that lists which mean the same are the same text. */
const idList = (ids: readonly number[]) => JSON.stringify([...new Set(ids)].sort((a, b) => a - b))

/** The row of a key, but for its id and the key itself. */
export const apiKeyRow = (record: ApiKeyRecord): Value[] => [
  record.workspace,
  record.name,
  record.publishable === undefined ? null : flag(record.publishable ?? false),
  given(record.expires_at),
  given(record.revoked_at),
  record.items === undefined ? null : idList(record.items ?? []),
]

function checkPreviews({ kind, media }: ItemRecord, report: Report) {
  for (const own of ['video', 'audio'] as const) {
    const member = `preview_${own}` as const
    if (kind === own && !media[member]) report(`media.${member}`, 'required')
    if (kind !== own && media[member]) report(`media.${member}`, 'item_kind_media')
  }
}

export function itemRow(record: ItemRecord, report: Report): Value[] {
  const { media, price, currency } = record
  checkPreviews(record, report)
  return [
    record.id,
    record.workspace,
    record.kind,
    record.name,
    record.description,
    record.category,
    record.sub_category,
    JSON.stringify(record.options),
    record.version,
    record.demo_link,
    JSON.stringify(record.tags),
    media.thumbnail,
    media.preview_image,
    media.preview_video ?? null,
    media.preview_audio ?? null,
    JSON.stringify(media.screenshots),
    minorUnits({ member: 'price.regular', value: price.regular, currency }, report),
    minorUnits({ member: 'price.extended', value: price.extended, currency }, report),
    currency,
    record.url,
    flag(record.support),
    record.published_at,
  ]
}

export const purchaseRow = (record: PurchaseRecord, report: Report): Value[] => [
  record.purchase_code,
  record.item,
  record.license_type,
  minorUnits({ member: 'price', value: record.price, currency: record.currency }, report),
  record.currency,
  given(record.supported_until),
  flag(record.downloaded),
  record.date,
  record.state === undefined ? null : (record.state ?? 'active'),
]
