import { readFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import type { Locale } from '@saleproof/schema'
import { describe, expect, test } from 'vitest'
import { languages } from './languages.ts'
import { codes, keys } from './records.ts'
import { useTestApp } from './test-app.ts'
import { heading, type Visitor } from './visitor.ts'

const app = useTestApp()

async function open(path = '', language: Locale = 'en') {
  const visitor = await app.visitAs('ada', { language })
  await visitor.go(`/w/ada-studio/purchases${path}`)
  return visitor
}

async function statusOf(code: string): Promise<number> {
  const answer = await fetch(`${app.url}/api/purchases/validation`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.production}` },
    body: new URLSearchParams({ purchase_code: code }),
  })
  return answer.status
}

async function find({ page, t }: Visitor, code: string) {
  await page.getByLabel(t.purchases.findLabel).fill(code)
  await page.getByRole('button', { name: t.purchases.find, exact: true }).click()
}

const counted = ({ t }: Visitor, count: number) => t.purchases.count({ count, more: false })

async function download({ page, t }: Visitor, format: 'csv' | 'ndjson') {
  const texts = t.purchases.export
  await page.getByRole('button', { name: texts.open }).click()
  await page.getByText(texts.formats[format], { exact: true }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: texts.submit }).click(),
  ])
  await page.getByText(texts.done).waitFor()
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

describe.each(languages)('in %s', (language) => {
  test('the list is filtered by item, license, state and day', async () => {
    const visitor = await open('', language)
    const { page, t, expectClean } = visitor
    const texts = t.purchases
    await page.getByRole('button', { name: `${texts.item} ${texts.allItems}` }).click()
    await page.getByRole('searchbox', { name: t.items.search }).fill('number 2')
    await page.getByRole('radio', { name: /^Pack number 2 / }).click()
    await page.getByText(counted(visitor, 120)).waitFor()
    await page.getByLabel(texts.license).fill('Extended')
    await page.getByText(counted(visitor, 40)).waitFor()
    await page.getByLabel(texts.state).selectOption(texts.states.refunded)
    await page.getByText(counted(visitor, 4), { exact: true }).waitFor()
    await page.getByLabel(texts.from, { exact: true }).fill('2025-01-01')
    await page.getByLabel(texts.to, { exact: true }).fill('2025-01-10')
    await page.getByText(counted(visitor, 1), { exact: true }).waitFor()
    await page.reload()
    await page.getByText(counted(visitor, 1), { exact: true }).waitFor()
    await page.getByRole('button', { name: `${texts.item} Pack number 2` }).waitFor()
    expectClean()
  })

  test('a purchase is found by its code, and has both shapes of what the API answers', async () => {
    const visitor = await open('', language)
    const { page, t, format, expectClean } = visitor
    await page.getByText(counted(visitor, 124)).waitFor()
    await find(visitor, `  ${codes.active.replaceAll('-', '–')}\n`)
    await page.getByText(counted(visitor, 1), { exact: true }).waitFor()
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

  test('a code that no purchase has leads to the reason', async () => {
    const visitor = await open('', language)
    const { page, t, expectClean } = visitor
    await find(visitor, codes.ofSecond)
    await page.getByText(t.purchases.noCode).waitFor()
    await page.getByRole('button', { name: t.purchases.why }).click()
    await heading(page, t.check.title).waitFor()
    await page.getByText(t.check.reasons.other_workspace.title).first().waitFor()
    expectClean([codes.ofSecond])
  })

  test('a purchase is refunded, revoked and reinstated, and the API follows at once', async () => {
    const visitor = await open('', language)
    const { page, t, expectClean } = visitor
    const { actions, ask, done } = t.purchases
    await find(visitor, codes.refundMe)
    await page.getByRole('button', { name: codes.refundMe }).click()
    const [panel, question] = [page.getByRole('dialog'), page.getByRole('alertdialog')]
    const act = async (action: keyof typeof actions) => {
      await panel.getByRole('button', { name: actions[action] }).click()
      await question.getByText(ask[action].text).waitFor()
      await question.getByRole('button', { name: actions[action] }).click()
    }
    await panel.getByRole('button', { name: actions.refund }).click()
    await question.getByRole('button', { name: t.actions.cancel }).click()
    expect(await statusOf(codes.refundMe)).toBe(200)
    for (const [action, state] of [
      ['refund', 'refunded'],
      ['revoke', 'revoked'],
    ] as const) {
      await act(action)
      await page.getByText(done[state]).waitFor()
      expect(await statusOf(codes.refundMe)).toBe(404)
      await act('reinstate')
      await page.getByText(done.active).waitFor()
      expect(await statusOf(codes.refundMe)).toBe(200)
    }
    await question.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expectClean([codes.refundMe])
  })

  test('an export as CSV has a line for each purchase that is shown', async () => {
    const visitor = await open('?state=refunded', language)
    await visitor.page.getByText(counted(visitor, 13)).waitFor()
    const { name, text } = await download(visitor, 'csv')
    expect(name).toMatch(/^purchases-ada-studio-\d{4}-\d\d-\d\d\.csv$/)
    expect(text.trim().split(/\r?\n/)).toHaveLength(1 + 13)
    expect(text).toContain(codes.refunded)
    expect(text).not.toContain(codes.active)
    visitor.expectClean([codes.refunded])
  })

  test('an export as NDJSON has records that the import takes', async () => {
    const visitor = await open('?item=101', language)
    await visitor.page.getByText(counted(visitor, 4), { exact: true }).waitFor()
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
  'a code is found, pasted anyhow: %j',
  async (pasted) => {
    const visitor = await open()
    await find(visitor, pasted)
    await visitor.page.getByText(counted(visitor, 1), { exact: true }).waitFor()
    await visitor.page.getByRole('button', { name: codes.active }).waitFor()
    visitor.expectClean([codes.active, pasted])
  },
)

test('a purchase stays what it is when the service cannot be reached, and the page says so', async () => {
  const visitor = await open()
  const { page, t } = visitor
  const code = 'MANY-0000-QRST-UVWX'
  await find(visitor, code)
  await page.getByRole('button', { name: code }).click()
  await page.getByRole('dialog').getByRole('button', { name: t.purchases.actions.revoke }).click()
  await page.route('**/purchases/state', (route) => route.abort())
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: t.purchases.actions.revoke }).click()
  await dialog.getByText(t.errors.codes.offline).waitFor()
  await dialog.getByRole('button', { name: t.actions.cancel }).click()
  await page.getByRole('dialog').getByText(t.purchases.states.active).waitFor()
  expect(await statusOf(code)).toBe(200)
})

test('an export has to wait while two others of the owner are being made, and the page says so', async () => {
  const { page, t, context } = await open()
  const texts = t.purchases.export
  const [second, third] = [await context.newPage(), await context.newPage()]
  for (const other of [second, third]) await other.goto(page.url())
  for (const each of [page, second, third]) await each.getByRole('button', { name: texts.open }).click()
  // An export begins with a line in the audit log, which has to wait for whoever else writes.
  const writer = new DatabaseSync(app.service.database)
  writer.exec('BEGIN IMMEDIATE')
  try {
    const begun = [second, third].map((other) => other.waitForRequest('**/purchases/export'))
    for (const other of [second, third]) await other.getByRole('button', { name: texts.submit }).click()
    await Promise.all(begun)
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
