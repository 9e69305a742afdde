import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { tested } from './languages.ts'
import { codes, keys } from './records.ts'
import { useTestApp } from './test-app.ts'
import { heading } from './visitor.ts'

const app = useTestApp()

beforeAll(async () => {
  for (let times = 0; times < 7; times++) await app.validate(codes.active)
  for (let times = 0; times < 3; times++) await app.validate('MANY-0001-QRST-UVWX')
  for (let times = 0; times < 2; times++) await app.validate('NOTHING-LIKE-THIS-CODE')
  await app.validate(codes.refunded)
})

/** The card with a title. */
const cardOf = (page: Page, title: string): Locator =>
  page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) })

describe.each(tested)('in %s', (language) => {
  test('shows the first steps while there are no validations', async () => {
    const { page, go, t, expectClean } = await app.visitAs('ada', { language })
    const { gettingStarted, overview } = t
    await go('/w/ada-sons')
    await page.getByText(gettingStarted.titleWithSales).waitFor()
    await page.getByText(overview.durability).waitFor()
    expectClean()
  })

  test('the first steps of an empty workspace begin with its sales', async () => {
    const { page, go, t, expectClean } = await app.visitAs('eva', { language })
    const { title, steps } = t.gettingStarted
    await go('/w/eva-loja')
    await page.getByText(title).waitFor()
    const shown = page.getByRole('main').getByRole('listitem').getByRole('heading')
    expect(await shown.allTextContents()).toEqual([steps.sales.title, steps.key.title, steps.snippet.title])
    await page.getByRole('link', { name: steps.sales.action, exact: true }).click()
    await heading(page, t.nav.import).waitFor()
    expectClean()
  })

  test('the first steps are done where they stand, by keyboard', async () => {
    const { page, go, t, expectClean } = await app.visitAs('ada', { language })
    const { steps } = t.gettingStarted
    const dialog = page.getByRole('dialog')
    const step = (name: keyof typeof steps) =>
      page.getByRole('listitem').getByRole('button', { name: steps[name].action, exact: true })
    await go('/w/ada-sons')

    await step('key').press('Enter')
    await dialog.waitFor()
    await page.keyboard.type(`first ${language}`)
    await page.keyboard.press('Enter')
    const key = (await page.getByTestId('api-key').textContent()) ?? ''
    expect(key).toMatch(/^sp_/)
    await dialog.getByRole('button', { name: t.keys.created.done }).press('Enter')
    await dialog.waitFor({ state: 'detached' })

    await step('code').press('Enter')
    await dialog.waitFor()
    await page.keyboard.type(codes.ofSecond)
    await page.keyboard.press('Enter')
    await dialog.getByRole('heading', { name: t.check.reasons.valid.title }).waitFor()
    await page.keyboard.press('Escape')

    await step('snippet').press('Enter')
    await dialog.getByText('curl ').first().waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    // The focus is back where it was.
    expect(await step('snippet').evaluate((button) => button === document.activeElement)).toBe(true)
    expectClean([key, codes.ofSecond])
  })

  test('counts validations by outcome, item, key and reason within seconds', async () => {
    const { page, go, t, format, expectClean } = await app.visitAs('ada', { language })
    const { charts, table, reasons, periods, outcomes } = t.overview
    const counted = async () => {
      const name = new RegExp(`^${charts.validations}$`)
      const total = page.locator('dt', { hasText: name }).locator('xpath=following-sibling::dd')
      return (await total.count()) ? total.textContent() : null
    }
    await go('/w/ada-studio?period=24h')
    await expect
      .poll(
        async () => {
          await page.reload()
          await page.getByText(t.overview.durability).waitFor()
          return counted()
        },
        { timeout: 30_000 },
      )
      .toBe('13')
    const rowsOf = async (title: string) => {
      await cardOf(page, title).getByText(table.open).click()
      return cardOf(page, title).getByRole('row').allTextContents()
    }
    const percent = (share: number) => format.percent(share)
    expect(await rowsOf(charts.items)).toEqual([
      `${t.purchases.fields.item}${table.count}`,
      'Harbour icons7',
      'Pack number 23',
    ])
    expect(await rowsOf(charts.keys)).toEqual([
      `${table.key}${table.count}${outcomes.valid}${table.share}`,
      `production (…${keys.production.slice(-4)})1310${percent(10 / 13)}`,
    ])
    // The names of columns of numbers alone are at their end.
    const byItem = cardOf(page, charts.items).getByRole('columnheader')
    expect(await byItem.evaluateAll((all) => all.map(({ dataset }) => dataset.number))).toEqual([
      undefined,
      'true',
    ])
    for (const title of [charts.items, charts.keys])
      expect(await cardOf(page, title).locator('li path').first().getAttribute('d')).toMatch(/^M0\.5 0L/)
    expect(await rowsOf(charts.failures)).toEqual([
      `${table.reason}${table.count}${table.share}`,
      `${reasons.purchase_not_found}2${percent(2 / 3)}`,
      `${reasons.purchase_not_active}1${percent(1 / 3)}`,
    ])
    const validations = await rowsOf(charts.validations)
    expect(validations).toHaveLength(1 + 24)
    expect(validations[0]).toBe(`${table.time.hour}${table.total}${Object.values(outcomes).join('')}`)
    expect(validations.slice(1, 3).join(' ')).toContain('131021')
    const latencies = await rowsOf(charts.latency)
    expect(latencies[0]).toContain(charts.p50)
    // Screen readers get the sums of the chart.
    await page.getByRole('img', { name: charts.summary('13', '10') }).waitFor()
    for (const period of ['7d', '30d', '90d', 'month', 'year', 'all'] as const) {
      await page.getByRole('radio', { name: periods[period] }).check()
      await page.waitForURL(({ searchParams }) => searchParams.get('period') === period)
      await expect.poll(counted).toBe('13')
    }
    expectClean([codes.active])
  })
})

test.each(tested)('shows sales and refunds one currency at a time, by keyboard, in %s', async (language) => {
  const { page, go, t, format, expectClean } = await app.visitAs('ada', { language })
  const { sales: texts, table } = t.overview
  await go('/w/ada-sons?period=24h')
  const card = cardOf(page, texts.title)
  const shown = (currency: string, sold: `${number}`, refunded: `${number}`) =>
    card
      .getByRole('img', {
        name: texts.summary(currency, format.money(sold, currency), format.money(refunded, currency)),
      })
      .waitFor()
  await shown('USD', '20.00', '0.00')
  const items = cardOf(page, texts.byItem('USD'))
  await items.getByText(table.open).click()
  expect(await items.getByRole('row').last().getByRole('cell').allTextContents()).toEqual([
    format.money('20.00', 'USD'),
    '2',
    '0',
    format.money('0.00', 'USD'),
    format.money('20.00', 'USD'),
  ])
  await card.getByRole('radio', { name: 'USD' }).focus()
  await page.keyboard.press('ArrowRight')
  await shown('JPY', '0', '1250')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const rows = await card.getByRole('row').allTextContents()
  expect(rows).toHaveLength(1 + 24)
  expect(rows.filter((row) => row.includes(format.money('-1250', 'JPY')))).toHaveLength(1)
  expectClean()
})

test.each(tested)(
  'leads from a reason to the purchases that failed, by keyboard, in %s',
  async (language) => {
    const { page, go, t, expectClean } = await app.visitAs('ada', { language })
    const { reasons, failedCodes } = t.overview
    await go('/w/ada-studio?period=24h')
    const open = (name: string) =>
      cardOf(page, t.overview.charts.failures).getByRole('button', { name }).first()
    const dialog = page.getByRole('dialog')
    await open(reasons.purchase_not_found).press('Enter')
    // An unknown code is not shown in full.
    await dialog.getByRole('row', { name: 'NOTH…CODE' }).getByText(failedCodes.unknown).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(
      await open(reasons.purchase_not_found).evaluate((button) => button === document.activeElement),
    ).toBe(true)
    await open(reasons.purchase_not_active).press('Enter')
    await dialog.getByRole('button', { name: codes.refunded }).press('Enter')
    await page.waitForURL(/purchases/)
    await dialog.getByText(codes.refunded).first().waitFor()
    expectClean([codes.refunded])
  },
)

test('works in a browser with an invalid language tag', async () => {
  const { page, go, expectClean } = await app.visitAs('ada')
  // As in Chromium with a POSIX locale.
  await page.addInitScript({
    content: `for (const [name, value] of [['language', 'en-US@posix'], ['languages', ['en-US@posix']]])
      Object.defineProperty(Navigator.prototype, name, { get: () => value, configurable: true })`,
  })
  await go('/w/ada-studio')
  await page.locator('main [role=img]').first().waitFor()
  expectClean()
})

test('a check in the console is not counted', async () => {
  const { page, go, t } = await app.visitAs('ada')
  await go('/w/ada-sons/check')
  await page.getByLabel(t.purchases.fields.purchase_code).fill(codes.ofSecond)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: t.check.reasons.valid.title }).waitFor()
  await page.waitForTimeout(2500)
  await go('/w/ada-sons')
  await page.getByText(t.gettingStarted.titleWithSales).waitFor()
})

test('a shop with sales and a key is shown the steps that are left, and none once its key was used', async () => {
  const { page, go, t, expectClean } = await app.visitAs('bob', { language: 'pt' })
  const { gettingStarted, overview } = t
  const { steps } = gettingStarted
  await go('/w/bob-works')
  await page.getByText(gettingStarted.titleWithSales).waitFor()
  const shown = page.getByRole('main').getByRole('listitem').getByRole('heading')
  expect(await shown.allTextContents()).toEqual([steps.code.title, steps.snippet.title])
  const used = await fetch(`${app.url}/api/items/all`, { headers: { authorization: `Bearer ${keys.bob}` } })
  expect(used.status).toBe(200)
  const nothing = page.getByRole('main').getByText(overview.charts.empty)
  await expect
    .poll(
      async () => {
        await page.reload()
        await page.getByText(gettingStarted.titleWithSales).or(nothing).waitFor()
        return nothing.count()
      },
      { timeout: 30_000 },
    )
    .toBe(1)
  expect(await shown.count()).toBe(0)
  expectClean()
})
