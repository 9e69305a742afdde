import { readFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import type { Locale } from '@saleproof/schema/constants'
import { describe, expect, test } from 'vitest'
import { tested } from './languages.ts'
import { codes } from './records.ts'
import { useTestApp } from './test-app.ts'
import { heading, type Visitor } from './visitor.ts'

const app = useTestApp()

async function open(path = '', language: Locale = 'en') {
  const visitor = await app.visitAs('ada', { language })
  await visitor.go(`/w/ada-studio/purchases${path}`)
  return visitor
}

async function search({ page, t }: Visitor, code: string) {
  await page.getByLabel(t.purchases.searchLabel).fill(code)
  await page.getByRole('button', { name: t.purchases.search, exact: true }).click()
}

const countText = ({ t }: Visitor, count: number) => t.purchases.count({ count, more: false })

async function download({ page, t }: Visitor, format: 'csv' | 'ndjson') {
  const texts = t.purchases.export
  await page.getByRole('button', { name: t.purchases.exportList }).click()
  await page.getByText(texts.formats[format], { exact: true }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: texts.submit }).click(),
  ])
  await page.getByText(texts.done).waitFor()
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

describe.each(tested)('in %s', (language) => {
  test('filters by item, license, state and date', async () => {
    const visitor = await open('', language)
    const { page, t, expectClean } = visitor
    const texts = t.purchases
    const item = page.getByLabel(texts.fields.item, { exact: true })
    // The rules of a page win over those of all pages, whichever load last.
    const side = async (label: string) => (await page.getByLabel(label, { exact: true }).boundingBox())?.y
    expect(await side(texts.to)).toBe(await side(texts.fields.item))
    // Opens no dialog.
    await item.press('ArrowDown')
    await page.getByRole('button', { name: t.items.searchItem }).click()
    await page.getByRole('searchbox', { name: t.items.search }).fill('number 2')
    await page.getByRole('radio', { name: /^Pack number 2 / }).click()
    await page.getByText(countText(visitor, 120)).waitFor()
    await page.getByLabel(texts.fields.license_type).selectOption('Extended')
    await page.getByText(countText(visitor, 40)).waitFor()
    await page.getByLabel(texts.fields.state).selectOption(texts.states.refunded)
    await page.getByText(countText(visitor, 4), { exact: true }).waitFor()
    await page.getByLabel(texts.from, { exact: true }).fill('2025-01-01')
    await page.getByLabel(texts.to, { exact: true }).fill('2025-01-10')
    await page.getByText(countText(visitor, 1), { exact: true }).waitFor()
    await page.reload()
    await page.getByText(countText(visitor, 1), { exact: true }).waitFor()
    await expect.poll(() => item.locator('option:checked').textContent()).toBe('Pack number 2 (102)')
    expectClean()
  })

  test('finds a purchase by its code and shows both shapes', async () => {
    const visitor = await open('', language)
    const { page, t, format, expectClean } = visitor
    await page.getByText(countText(visitor, 124)).waitFor()
    await search(visitor, `  ${codes.active.replaceAll('-', '–')}\n`)
    await page.getByText(countText(visitor, 1), { exact: true }).waitFor()
    await page.getByText(t.purchases.paid(format.money(19.99, 'USD')), { exact: true }).waitFor()
    await page.getByRole('button', { name: codes.active }).click()
    const panel = page.getByRole('dialog')
    await panel.getByText(format.money(19.99, 'USD')).waitFor()
    const json = async (name: string) =>
      JSON.parse((await panel.getByRole('region', { name }).textContent()) ?? '')
    const base = await json(t.items.shapes.base)
    expect(base).toMatchObject({ purchase_code: codes.active, price: 19.99, item: { id: 101 } })
    const extended = await json(t.items.shapes.extended)
    expect(extended).toMatchObject({ purchase_code: codes.active, item: { version: '1.4.2' } })
    expect(extended.price).toBeUndefined()
    expectClean([codes.active])
  })

  test('finds purchases by the last characters of their codes, by keyboard', async () => {
    const visitor = await open('', language)
    const { page, t, expectClean } = visitor
    const { searchLabel, searchHint, codeTooShort, codeNotFoundText } = t.purchases
    const field = page.getByRole('searchbox', { name: searchLabel, description: searchHint(4) })
    await field.focus()
    await page.keyboard.type('cccc-0002')
    await page.keyboard.press('Enter')
    await page.getByText(countText(visitor, 1), { exact: true }).waitFor()
    await page.getByRole('button', { name: codes.refunded }).waitFor()
    await field.fill('MANY')
    await page.keyboard.press('Enter')
    await page.getByText(countText(visitor, 120), { exact: true }).waitFor()
    // Too short for a part of a code.
    await field.fill('002')
    await page.keyboard.press('Enter')
    await page.getByText(codeTooShort(4)).waitFor()
    await field.fill('9002')
    await page.keyboard.press('Enter')
    await page.getByText(codeNotFoundText).waitFor()
    expectClean(['cccc-0002', 'MANY'])
  })

  test('an unknown code links to its explanation', async () => {
    const visitor = await open('', language)
    const { page, t, expectClean } = visitor
    await search(visitor, codes.ofSecond)
    await page.getByText(t.purchases.noneFound).waitFor()
    await page.getByRole('button', { name: t.purchases.explainCode }).click()
    await heading(page, t.nav.check).waitFor()
    await page.getByText(t.check.reasons.other_workspace.title).first().waitFor()
    expectClean([codes.ofSecond])
  })

  test('refunds, revokes and reinstates a purchase, and the API follows immediately', async () => {
    const visitor = await open('', language)
    const { page, t, expectClean } = visitor
    const { actions, confirm, done } = t.purchases
    await search(visitor, codes.refundMe)
    await page.getByRole('button', { name: codes.refundMe }).click()
    const panel = page.getByRole('dialog')
    const confirmation = page.getByRole('alertdialog')
    const act = async (action: keyof typeof actions) => {
      await panel.getByRole('button', { name: actions[action] }).click()
      await confirmation.getByText(confirm[action].text).waitFor()
      await confirmation.getByRole('button', { name: actions[action] }).click()
    }
    await panel.getByRole('button', { name: actions.refund }).click()
    await confirmation.getByRole('button', { name: t.actions.cancel }).click()
    expect(await app.validate(codes.refundMe)).toBe(200)
    for (const [action, state] of [
      ['refund', 'refunded'],
      ['revoke', 'revoked'],
    ] as const) {
      await act(action)
      await page.getByText(done[state]).waitFor()
      expect(await app.validate(codes.refundMe)).toBe(404)
      await act('reinstate')
      await page.getByText(done.active).waitFor()
      expect(await app.validate(codes.refundMe)).toBe(200)
    }
    await confirmation.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expectClean([codes.refundMe])
  })

  test('the history says what happened, with exact times, by keyboard', async () => {
    const visitor = await open('', language)
    const { page, t, expectClean } = visitor
    const { history, actions } = t.purchases
    const code = language === 'en' ? 'MANY-0001-QRST-UVWX' : 'MANY-0002-QRST-UVWX'
    for (let count = 0; count < 3; count++) expect(await app.validate(code)).toBe(200)
    await search(visitor, code)
    await page.getByRole('button', { name: code }).focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('dialog')
    const entries = panel.getByRole('row').filter({ has: page.getByRole('rowheader') })
    const imported = `${history.imported.active} ${history.by.cli}`
    await entries.filter({ hasText: imported }).waitFor()
    expect(await entries.getByRole('rowheader').allTextContents()).toEqual([
      history.lastValidated(3),
      history.firstValidated,
      imported,
      history.sold,
    ])
    // To the second, as text: a tooltip would reach neither the keyboard nor a finger. Midnight in UTC is 21:00 in São Paulo.
    const times = await entries.locator('time').allTextContents()
    expect(times).toHaveLength(4)
    expect(times.at(-1)).toMatch(
      language === 'en' ? /^Jan 1, 2025, 9:00:00\sPM$/ : /^2 de jan. de 2025, 21:00:00$/,
    )
    for (const [action, state] of [
      ['refund', 'refunded'],
      ['reinstate', 'active'],
    ] as const) {
      await panel.getByRole('button', { name: actions[action] }).focus()
      await page.keyboard.press('Enter')
      const confirmation = page.getByRole('alertdialog')
      await confirmation.getByRole('button', { name: actions[action] }).focus()
      await page.keyboard.press('Enter')
      await confirmation.waitFor({ state: 'detached' })
      await entries
        .first()
        .filter({ hasText: `${history.changed[state]} ${history.by.account('ada')}` })
        .waitFor()
    }
    expect(await entries.count()).toBe(6)
    await panel.getByText(history.validationsMayLag).waitFor()
    expectClean([code])
  })

  test('the CSV export has a line for each matching purchase', async () => {
    const visitor = await open('?state=refunded', language)
    await visitor.page.getByText(countText(visitor, 13)).waitFor()
    const { name, text } = await download(visitor, 'csv')
    expect(name).toMatch(/^purchases-ada-studio-\d{4}-\d\d-\d\d\.csv$/)
    expect(text.trim().split(/\r?\n/)).toHaveLength(1 + 13)
    expect(text).toContain(codes.refunded)
    expect(text).not.toContain(codes.active)
    visitor.expectClean([codes.refunded])
  })

  test('the NDJSON export is in the import format', async () => {
    const visitor = await open('?item=101', language)
    await visitor.page.getByText(countText(visitor, 4), { exact: true }).waitFor()
    const { name, text } = await download(visitor, 'ndjson')
    expect(name).toMatch(/\.ndjson$/)
    const records = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(records.map(({ type, item }) => [type, item])).toEqual(Array(4).fill(['purchase', 101]))
  })
})

test.each([codes.active, codes.active.replaceAll('-', '\u2014'), `\u200b${codes.active}`])(
  'finds the pasted code %j',
  async (pasted) => {
    const visitor = await open()
    await search(visitor, pasted)
    await visitor.page.getByText(countText(visitor, 1), { exact: true }).waitFor()
    await visitor.page.getByRole('button', { name: codes.active }).waitFor()
    visitor.expectClean([codes.active, pasted])
  },
)

test('a purchase keeps its state when the service is unreachable', async () => {
  const visitor = await open()
  const { page, t } = visitor
  const code = 'MANY-0000-QRST-UVWX'
  await search(visitor, code)
  await page.getByRole('button', { name: code }).click()
  await page.getByRole('dialog').getByRole('button', { name: t.purchases.actions.revoke }).click()
  await page.route('**/purchases/state', (route) => route.abort())
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: t.purchases.actions.revoke }).click()
  await dialog.getByText(t.errors.codes.offline).waitFor()
  await dialog.getByRole('button', { name: t.actions.cancel }).click()
  await page.getByRole('dialog').getByText(t.purchases.states.active).waitFor()
  expect(await app.validate(code)).toBe(200)
})

test('a third concurrent export of an owner is rejected', async () => {
  const { page, t, context } = await open()
  const texts = t.purchases.export
  const [second, third] = [await context.newPage(), await context.newPage()]
  for (const other of [second, third]) await other.goto(page.url())
  for (const tab of [page, second, third])
    await tab.getByRole('button', { name: t.purchases.exportList }).click()
  // An export first writes to the audit log, and so waits for this transaction.
  const writer = new DatabaseSync(app.service.database)
  writer.exec('BEGIN IMMEDIATE')
  try {
    const started = [second, third].map((other) => other.waitForRequest('**/purchases/export'))
    for (const other of [second, third]) await other.getByRole('button', { name: texts.submit }).click()
    await Promise.all(started)
    await page.waitForTimeout(300)
    await page.getByRole('button', { name: texts.submit }).click()
    await page.getByRole('dialog').getByText(t.errors.codes.too_many_exports).waitFor()
  } finally {
    writer.exec('ROLLBACK')
    writer.close()
  }
  for (const other of [second, third]) await other.getByText(texts.done).waitFor()
  await page.getByRole('button', { name: texts.submit }).click()
  await page.getByText(texts.done).waitFor()
})

// Last: other tests count what there is.
test.each(tested)('removes a purchase for good once it is confirmed, by keyboard (%s)', async (language) => {
  const visitor = await open('', language)
  const { page, t, expectClean } = visitor
  const action = t.purchases.actions.remove
  const { text } = t.purchases.confirm.remove
  const code = language === 'en' ? 'MANY-0003-QRST-UVWX' : 'MANY-0005-QRST-UVWX'
  await search(visitor, code)
  await page.getByRole('button', { name: code }).focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog')
  const confirmation = page.getByRole('alertdialog')
  const ask = async () => {
    await panel.getByRole('button', { name: action }).focus()
    await page.keyboard.press('Enter')
    await confirmation.getByText(text).waitFor()
  }
  await ask()
  await page.keyboard.press('Escape')
  await confirmation.waitFor({ state: 'detached' })
  expect(await app.validate(code)).toBe(200)
  await ask()
  await confirmation.getByRole('button', { name: action }).focus()
  await page.keyboard.press('Enter')
  await page.getByText(t.purchases.removed).waitFor()
  await panel.waitFor({ state: 'detached' })
  expect(await app.validate(code)).toBe(404)
  await page.getByText(t.purchases.noneFound).waitFor()
  expectClean([code])
})
