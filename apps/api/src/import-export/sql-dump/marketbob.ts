import { currencyDigits } from '@saleproof/schema'
import { UserError } from '../../user-error.ts'
import { createTimeReader } from '../sales/values.ts'
import { type DumpRow, readDump } from './read-dump.ts'

export interface DumpOptions {
  /** The dump, which is read three times: in it purchases come before users. */
  open: () => AsyncIterable<Uint8Array>
  /** The old shop, without a slash at the end: links are relative to it. */
  baseUrl?: string | undefined
  currency?: string | undefined
  timeZone?: string | undefined
  /** Gets what is left out, and how often. */
  omitted: Map<string, number>
}

/** A record of the import format, and the row that it is made of. */
export interface DumpRecord {
  row: DumpRow
  record: Readonly<Record<string, unknown>>
}

type Values = DumpRow['values']

const states = new Map([
  ['2', 'refunded'],
  ['3', 'revoked'],
])
const licenses: Readonly<Record<string, string>> = { 1: 'Regular', 2: 'Extended' }
/** Where the names of accounts belong. */
const networks: Readonly<Record<string, string>> = { linkedin: 'linkedin.com/in/', youtube: 'youtube.com/@' }

function parse(json = ''): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(json))
  } catch {
    return {}
  }
}

const fullName = ({ firstname, lastname, username }: Values) =>
  firstname && lastname ? `${firstname} ${lastname}` : username

/** Two names may become the same slug: the id tells them apart. */
function workspaceSlug({ username = '', id }: Values): string {
  const slug = username.toLowerCase().replace(/[^a-z\d-]/g, '-')
  return slug === username.toLowerCase() ? slug : `${slug}-${id}`
}

const isApiKey = (key: string) => /^[!-~]{16,255}$/.test(key)

const lookups = ['settings', 'categories', 'sub_categories', 'sales', 'users']

/** What purchases and items refer to. Of millions of sales and buyers no more is kept than they need. */
async function readLookups({ open, omitted }: DumpOptions) {
  const kept = new Map(lookups.map((table) => [table, new Map<string, Values>()]))
  const prices = new Map<number, number>()
  const sellers: DumpRow[] = []
  const leave = (what: string, times = 1) => omitted.set(what, (omitted.get(what) ?? 0) + times)

  function keep(row: DumpRow) {
    const { table, values } = row
    const { id = '', username, firstname, lastname, email, api_key: key } = values
    if (table === 'sales') return prices.set(Number(id), Number(values.price))
    if (table !== 'users') return kept.get(table)?.set(values.key ?? id, values)
    if (key && !isApiKey(key)) leave('keys that are not 16 to 255 visible characters')
    if (values.password) leave('password hashes')
    if (key || values.is_author === '1') sellers.push(row)
    else leave('users who sell nothing')
    return kept.get(table)?.set(id, { id, username, firstname, lastname, email })
  }

  const skipped = new Map<string, number>()
  for await (const rows of readDump(open(), lookups, skipped)) rows.forEach(keep)
  for (const [table, count] of skipped)
    if (table !== 'items' && table !== 'purchases') leave(`rows of ${table}`, count)
  for (const table of ['items', 'purchases'])
    if (!skipped.has(table)) throw new UserError(`the dump has no rows of ${table}: it may be cut off`)
  if (sellers.length === 0) throw new UserError('the dump has no users who sell')
  return { kept, prices, sellers }
}

function createShop(options: DumpOptions, { kept, prices }: Awaited<ReturnType<typeof readLookups>>) {
  const lookup = (table: string, id = ''): Values => kept.get(table)?.get(id) ?? {}
  const currency = options.currency ?? String(parse(lookup('settings', 'currency').value).code)
  const digits = currencyDigits(currency)
  if (digits === undefined) throw new UserError('the dump names no currency: say --currency USD')
  const readTime = createTimeReader(options.timeZone ?? 'UTC', 'dmy')
  return {
    lookup,
    currency,
    price: (sale: string | undefined) => prices.get(Number(sale)),
    time: (text = '') => readTime(text),
    money: (amount: string | number | undefined, fee = '0') =>
      amount === undefined ? undefined : (Number(amount) + Number(fee)).toFixed(digits),
    link(path = '') {
      if (path === '' || /^https?:\/\//i.test(path)) return path
      const { baseUrl } = options
      if (!baseUrl) throw new UserError('links are relative: say --base-url https://old-shop.example.com')
      return new URL(path.replace(/^\/+/, ''), `${baseUrl}/`).href
    },
  }
}

type Shop = ReturnType<typeof createShop>

const toSeller = (user: Values, { link, time, money, currency }: Shop) => [
  {
    type: 'account',
    username: user.username,
    email: user.email ?? '',
    name: { firstname: user.firstname ?? '', lastname: user.lastname ?? '', full_name: fullName(user) },
    balance: money(user.balance),
    currency,
    profile: {
      heading: user.profile_heading ?? '',
      description: user.profile_description ?? '',
      contact: { email: user.profile_contact_email ?? '' },
      social_links: Object.fromEntries(
        Object.entries(parse(user.profile_social_links)).flatMap(([network, name]) =>
          name ? [[network, `https://${networks[network] ?? `${network}.com/`}${name}`]] : [],
        ),
      ),
      media: { avatar: link(user.avatar), cover: link(user.profile_cover) },
    },
    registered_at: time(user.created_at),
  },
  { type: 'workspace', slug: workspaceSlug(user), name: fullName(user), owner: user.username },
  ...(user.api_key && isApiKey(user.api_key)
    ? [{ type: 'api_key', workspace: workspaceSlug(user), name: 'Marketbob', key: user.api_key }]
    : []),
]

function toItem(item: Values, { lookup, link, time, money, currency }: Shop) {
  const category = lookup('categories', item.category_id)
  const url = link(`items/${item.slug}/${item.id}`)
  const kind = item.preview_type ?? 'image'
  return {
    type: 'item',
    workspace: workspaceSlug(lookup('users', item.author_id)),
    id: Number(item.id),
    kind,
    name: item.name,
    description: item.description,
    category: category.name ?? '',
    sub_category: lookup('sub_categories', item.sub_category_id).name ?? '',
    options: Object.entries(parse(item.options)).map(
      ([name, chosen]) => `${name}: ${[chosen].flat().join(', ')}`,
    ),
    version: [...(item.version ?? '1').split('.'), '0', '0'].slice(0, 3).join('.'),
    demo_link: item.demo_link ?? '',
    tags: (item.tags ?? '').split(',').flatMap((tag) => tag.trim() || []),
    media: {
      thumbnail: link(item.thumbnail ?? item.preview_image),
      preview_image: link(item.preview_image) || link(item.thumbnail) || url,
      ...(kind === 'video' && { preview_video: link(item.preview_video) }),
      ...(kind === 'audio' && { preview_audio: link(item.preview_audio) }),
      screenshots: Object.values(parse(item.screenshots)).map((path) => link(String(path))),
    },
    // With the fee of the category, as its API has them.
    price: {
      regular: money(item.regular_price, category.regular_buyer_fee),
      extended: money(item.extended_price, category.extended_buyer_fee),
    },
    currency,
    url,
    support: item.is_supported === '1',
    published_at: time(item.created_at),
    // Its API has approved items alone.
    ...(item.status !== '4' && { withdrawn_at: time(item.updated_at) ?? time(item.created_at) }),
  }
}

function toPurchase(purchase: Values, { lookup, time, price, money, currency }: Shop) {
  const { license_type = '', status = '', user_id, sale_id } = purchase
  const buyer = lookup('users', user_id)
  return {
    type: 'purchase',
    item: Number(purchase.item_id),
    purchase_code: purchase.code,
    license_type: licenses[license_type],
    price: money(price(sale_id)),
    currency,
    supported_until: time(purchase.support_expiry_at),
    downloaded: purchase.is_downloaded === '1',
    date: time(purchase.created_at),
    // What it is not known to be is refused; what was active may have been refunded since.
    ...(status !== '1' && { state: states.get(status) ?? '' }),
    customer_name: fullName(buyer),
    customer_email: buyer.email,
    order: sale_id,
  }
}

/** Reads the dump of a shop of Marketbob. The records say what its API answered. */
export async function* readMarketbob(options: DumpOptions): AsyncGenerator<DumpRecord[]> {
  const read = await readLookups(options)
  const shop = createShop(options, read)
  yield read.sellers.flatMap((row) => toSeller(row.values, shop).map((record) => ({ row, record })))
  // A purchase names an item that is on an earlier line: a dump may have its tables in any order.
  for await (const rows of readDump(options.open(), ['items']))
    yield rows.map((row) => ({ row, record: toItem(row.values, shop) }))
  for await (const rows of readDump(options.open(), ['purchases']))
    yield rows.map((row) => ({ row, record: toPurchase(row.values, shop) }))
}
