import { currencyDigits, type PurchaseState } from '@saleproof/schema'
import type { ConsoleSales, OverviewPeriod, SalesFigures } from '@saleproof/schema/console'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Browser, createBrowser, errorOf, password } from '../support/console-client.ts'
import { startService, type TestService } from '../support/harness.ts'
import { records } from '../support/records.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const start = Date.parse('2026-11-21T12:34:56Z')
let now = start

const withoutSales = records
  .filter((record) => (record as { type: string }).type !== 'purchase')
  .map((record) => ((record as { type: string }).type === 'account' ? { ...record, password } : record))

let service: TestService
let ada: Browser
beforeAll(async () => {
  service = await startService({
    records: withoutSales,
    clock: () => new Date(now),
    env: { SALEPROOF_SIGN_IN_LIMIT: 'off' },
  })
  ada = createBrowser(service.url)
  await ada.signIn('ada')
})
afterAll(() => service.close())
beforeEach(async () => {
  now = start
  await service.database.prisma.purchase.deleteMany()
})

interface Sale {
  item: number
  price: string
  currency: string
  at: number
  state: PurchaseState
  refundedAt: number | null
}

const iso = (at: number) => new Date(at).toISOString()
const items = [101, 102]
const codeOf = (index: number) => `SALE-0000-0000-${String(index).padStart(4, '0')}`
const recordOf = (index: number, { price, currency, at }: Pick<Sale, 'price' | 'currency' | 'at'>) => ({
  type: 'purchase',
  item: items[index % 2],
  purchase_code: codeOf(index),
  license_type: 'Regular',
  price,
  currency,
  downloaded: false,
  date: iso(at),
})

const minor = (decimal: string, currency: string) => {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(currencyDigits(currency)!, '0'))
}
const amounts = (figures: SalesFigures, currency: string) => ({
  sales: [figures.sales, minor(figures.sales_amount, currency)],
  refunds: [figures.refunds, minor(figures.refunds_amount, currency)],
})

/** Adds up sales one by one. An hour belongs to the bucket in which it ends, the last one to the last. */
function naive(sales: readonly Sale[], { starts, to }: ConsoleSales, currency: string) {
  const edges = [...starts, to].map((edge) => Date.parse(edge))
  const sum = (found: readonly Sale[]) => [
    found.length,
    found.reduce((all, { price }) => all + minor(price, currency), 0n),
  ]
  const own = sales.filter((sale) => sale.currency === currency)
  const between = (from: number, end: number, timeOf: (sale: Sale) => number) =>
    own.filter((sale) => {
      const hourEnd = (Math.floor(timeOf(sale) / hourMs) + 1) * hourMs
      return hourEnd > from && (end === edges.at(-1) ? hourEnd < end + hourMs : hourEnd <= end)
    })
  const figures = (from: number, end: number, of: (sale: Sale) => boolean = () => true) => ({
    sales: sum(between(from, end, ({ at }) => at).filter(of)),
    refunds: sum(
      between(from, end, ({ at, refundedAt }) => refundedAt ?? at).filter(
        (sale) => sale.state === 'refunded' && of(sale),
      ),
    ),
  })
  const [first, end] = [edges[0]!, edges.at(-1)!]
  return {
    total: figures(first, end),
    buckets: starts.map((_, index) => figures(edges[index]!, edges[index + 1]!)),
    items: items
      .map((item) => ({ item, ...figures(first, end, (sale) => sale.item === item) }))
      .filter((each) => each.sales[0] !== 0 || each.refunds[0] !== 0)
      .sort((one, other) => one.item - other.item),
  }
}

const shown = ({ currency, total, buckets, items }: ConsoleSales['currencies'][number]) => ({
  total: amounts(total, currency),
  buckets: buckets.map((bucket) => amounts(bucket, currency)),
  items: items
    .map((item) => ({ item: item.item_id, ...amounts(item, currency) }))
    .sort((one, other) => one.item - other.item),
})

async function expectSums(sales: readonly Sale[]) {
  const requests: [OverviewPeriod, string][] = [
    ['24h', 'UTC'],
    ['7d', 'America/Sao_Paulo'],
    ['30d', 'Asia/Kolkata'],
    ['90d', 'Pacific/Kiritimati'],
    ['month', 'America/Sao_Paulo'],
    ['year', 'Asia/Kolkata'],
    ['all', 'America/Sao_Paulo'],
  ]
  for (const [period, timezone] of requests) {
    const found = await ada.ask('getSales', { slug: 'ada-studio' }, { period, timezone })
    const expected = [...new Set(sales.map(({ currency }) => currency))].map(
      (currency) => [currency, naive(sales, found, currency)] as const,
    )
    const inPeriod = expected.filter(([, { items }]) => items.length > 0)
    expect(Object.fromEntries(found.currencies.map((each) => [each.currency, shown(each)]))).toEqual(
      Object.fromEntries(inPeriod),
    )
    const lengths: Record<OverviewPeriod, unknown[]> = {
      '24h': [24, 'hour'],
      '7d': [7, 'day'],
      '30d': [30, 'day'],
      '90d': [90, 'day'],
      month: [21, 'day'],
      year: [11, 'month'],
      all: [expect.any(Number), 'month'],
    }
    expect([found.starts.length, found.bucket]).toEqual(lengths[period])
  }
}

const index = fc.integer({ min: 0, max: 7 })
const price = fc.constantFrom(
  ...([
    ['USD', '19.99'],
    ['USD', '999999999999.99'],
    ['USD', '0'],
    ['JPY', '1500'],
    ['KWD', '0.001'],
  ] as const),
)
const ago = fc.oneof(fc.integer({ min: 0, max: 26 * hourMs }), fc.integer({ min: 0, max: 95 * dayMs }))
const state = fc.constantFrom<PurchaseState>('active', 'refunded', 'revoked')
const imported = fc.record({
  kind: fc.constant('import' as const),
  index,
  price,
  ago,
  state: fc.option(state, { nil: undefined }),
  refundedAgo: fc.option(ago, { nil: undefined }),
})
const changed = fc.record({ kind: fc.constant('state' as const), index, state })
const removed = fc.record({ kind: fc.constant('remove' as const), index })
const step = fc.oneof({ weight: 3, arbitrary: imported }, { weight: 3, arbitrary: changed }, removed)

const wholeSeconds = (at: number) => Math.floor(at / 1000) * 1000

function afterImport(
  before: Sale | undefined,
  one: typeof imported extends fc.Arbitrary<infer T> ? T : never,
): Sale {
  const [currency, price] = one.price
  const next = one.state ?? before?.state ?? 'active'
  const known = before?.state === 'refunded' ? before.refundedAt : before ? now : null
  const given = one.refundedAgo === undefined ? undefined : wholeSeconds(start - one.refundedAgo)
  return {
    item: items[one.index % 2]!,
    price,
    currency,
    at: wholeSeconds(start - one.ago),
    state: next,
    refundedAt: next === 'refunded' ? (given ?? known) : null,
  }
}

test('every figure is what adding up the purchases one by one gives', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
    const sales = new Map<number, Sale>()
    now = start
    await service.database.prisma.purchase.deleteMany()
    for (const one of steps) {
      now += 61_000
      const stored = sales.get(one.index)
      if (one.kind === 'import') {
        const next = afterImport(stored, one)
        const { state, refundedAgo } = one
        const refunded_at = refundedAgo === undefined ? undefined : iso(start - refundedAgo)
        await service.load([{ ...recordOf(one.index, next), state, refunded_at }])
        sales.set(one.index, next)
      } else if (!stored) continue
      else if (one.kind === 'remove') {
        await service.database.prisma.purchase.deleteMany({ where: { code: codeOf(one.index) } })
        sales.delete(one.index)
      } else {
        const request = { purchase_code: codeOf(one.index), state: one.state }
        await ada.ask('setPurchaseState', { slug: 'ada-studio' }, request)
        const refundedAt = stored.state === one.state ? stored.refundedAt : now
        sales.set(one.index, {
          ...stored,
          state: one.state,
          refundedAt: one.state === 'refunded' ? refundedAt : null,
        })
      }
    }
    await expectSums([...sales.values()])
  })
  await fc.assert(property, { numRuns: 20 })
})

test('the sum of many of the highest prices is exact', async () => {
  const sale = { price: '999999999999.99', currency: 'USD', at: start - hourMs }
  await service.load(Array.from({ length: 9300 }, (_, index) => recordOf(index * 2, sale)))
  const { currencies } = await ada.ask('getSales', { slug: 'ada-studio' }, { period: '24h' })
  expect(currencies).toMatchObject([
    {
      currency: 'USD',
      total: { sales: 9300, sales_amount: '9299999999999907.00', net_amount: '9299999999999907.00' },
      items: [{ item_id: 101, name: 'Icon pack', sales_amount: '9299999999999907.00' }],
    },
  ])
})

test('an import of many sales counts each of them', async () => {
  const many = (from: number) =>
    Array.from({ length: 21_000 }, (_, index): [number, Sale] => {
      const refunded = index % 7 === 0
      const at = start - ((index * 7_919_000) % (80 * dayMs))
      const sale = { item: items[(from + index) % 2]!, price: `${index % 90}.50`, currency: 'EUR', at }
      const refundedAt = index % 3 === 0 ? null : wholeSeconds(at + hourMs)
      return [
        from + index,
        { ...sale, state: refunded ? 'refunded' : 'active', refundedAt: refunded ? refundedAt : null },
      ]
    })
  const all: Sale[] = []
  for (const from of [0, 21_000]) {
    const sales = many(from)
    await service.load(
      sales.map(([index, sale]) => ({
        ...recordOf(index, sale),
        state: sale.state,
        refunded_at: sale.refundedAt === null ? undefined : iso(sale.refundedAt),
      })),
    )
    all.push(...sales.map(([, sale]) => sale))
  }
  await expectSums(all)
})

test('a refund imported with its time counts then, one without with its sale', async () => {
  const sale = { price: '10', currency: 'EUR', at: start - 40 * dayMs }
  await service.load([
    { ...recordOf(0, sale), state: 'refunded' },
    { ...recordOf(2, sale), state: 'refunded', refunded_at: iso(start - dayMs) },
  ])
  const { currencies } = await ada.ask('getSales', { slug: 'ada-studio' }, { period: '7d' })
  const figures = {
    sales: 0,
    sales_amount: '0.00',
    refunds: 1,
    refunds_amount: '10.00',
    net_amount: '-10.00',
  }
  expect(currencies).toMatchObject([{ currency: 'EUR', total: figures }])
})

test('sales of another workspace are not counted, and another owner gets not_found', async () => {
  await service.load([{ ...recordOf(0, { price: '10', currency: 'EUR', at: start }), item: 301 }])
  expect((await ada.ask('getSales', { slug: 'ada-studio' }, { period: '7d' })).currencies).toEqual([])
  expect((await ada.ask('getSales', { slug: 'lisboa' }, { period: '7d' })).currencies).toHaveLength(1)
  const bob = createBrowser(service.url)
  await bob.signIn('bob')
  expect(errorOf(await bob.call('getSales', { slug: 'ada-studio' }))).toEqual([404, { code: 'not_found' }])
})
