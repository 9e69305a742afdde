import { readFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { codes, keys } from './records.ts'
import { useService } from './setting.ts'
import { heading } from './visitor.ts'

const setting = useService()

async function open(path = '/w/ada-studio/purchases') {
  const visitor = await setting.visit()
  await visitor.go(path)
  await visitor.logIn('ada')
  return visitor
}

async function statusOf(code: string): Promise<number> {
  const answer = await fetch(`${setting.url}/api/purchases/validation`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.production}` },
    body: new URLSearchParams({ purchase_code: code }),
  })
  return answer.status
}

async function find(page: Page, code: string) {
  await page.getByLabel('Find a purchase code').fill(code)
  await page.getByRole('button', { name: 'Find' }).click()
}

describe('the list', () => {
  test.each([codes.active, `  ${codes.active}\n`, codes.active.replaceAll('-', '–'), `​${codes.active}`])(
    'is searched by a code, pasted anyhow: %j',
    async (pasted) => {
      const { page, expectClean } = await open()
      await page.getByText('124 purchases').waitFor()
      await find(page, pasted)
      await page.getByText('1 purchase', { exact: true }).waitFor()
      await page.getByRole('button', { name: codes.active }).waitFor()
      expectClean([codes.active, pasted])
    },
  )

  test('is filtered by item, license, state and day', async () => {
    const { page, expectClean } = await open()
    await page.getByRole('button', { name: 'Item All items' }).click()
    await page.getByRole('searchbox', { name: 'Name, category, tag or id' }).fill('number 2')
    await page.getByRole('radio', { name: /^Pack number 2 / }).click()
    await page.getByText('120 purchases').waitFor()
    await page.getByLabel('License').fill('Extended')
    await page.getByText('40 purchases').waitFor()
    await page.getByLabel('State').selectOption('Refunded')
    await page.getByText('4 purchases').waitFor()
    await page.getByLabel('From').fill('2025-01-01')
    await page.getByLabel('To', { exact: true }).fill('2025-01-10')
    await page.getByText('1 purchase', { exact: true }).waitFor()
    await page.reload()
    await page.getByText('1 purchase', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Item Pack number 2' }).waitFor()
    expectClean()
  })

  test('says that there is no such code, and finds out why', async () => {
    const { page, expectClean } = await open()
    await find(page, codes.ofSecond)
    await page.getByText('No purchase has this code').waitFor()
    await page.getByRole('button', { name: 'Why does this code fail?' }).click()
    await heading(page, 'Check a code').waitFor()
    await page.getByText('It was sold in another workspace of yours').first().waitFor()
    expectClean([codes.ofSecond])
  })
})

describe('a purchase', () => {
  test('is refunded and reinstated, and the API follows at once', async () => {
    const { page, expectClean } = await open()
    await find(page, codes.refundMe)
    await page.getByRole('button', { name: codes.refundMe }).click()
    const panel = page.getByRole('dialog')
    await panel.getByText('$99.00').waitFor()
    expect(await statusOf(codes.refundMe)).toBe(200)

    await panel.getByRole('button', { name: 'Mark as refunded' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    expect(await statusOf(codes.refundMe)).toBe(200)

    await panel.getByRole('button', { name: 'Mark as refunded' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Mark as refunded' }).click()
    await page.getByText('The purchase is refunded').waitFor()
    expect(await statusOf(codes.refundMe)).toBe(404)

    await panel.getByRole('button', { name: 'Reinstate' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reinstate' }).click()
    await page.getByText('The purchase is active').waitFor()
    expect(await statusOf(codes.refundMe)).toBe(200)
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expectClean([codes.refundMe])
  })

  test('stays what it is when the service cannot be reached, and the page says so', async () => {
    const { page } = await open()
    await find(page, 'MANY-0000-QRST-UVWX')
    await page.getByRole('button', { name: 'MANY-0000-QRST-UVWX' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.route('**/purchases/state', (route) => route.abort())
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await dialog.getByText('The service could not be reached.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').getByText('Active').waitFor()
    expect(await statusOf('MANY-0000-QRST-UVWX')).toBe(200)
  })

  test('has both shapes of what the API answers', async () => {
    const { page } = await open()
    await find(page, codes.active)
    await page.getByRole('button', { name: codes.active }).click()
    const panel = page.getByRole('dialog')
    const base = JSON.parse((await panel.getByRole('region', { name: 'Base shape' }).textContent()) ?? '')
    expect(base).toMatchObject({ purchase_code: codes.active, price: 19.99, item: { id: 101 } })
    const extended = JSON.parse(
      (await panel.getByRole('region', { name: 'Extended shape' }).textContent()) ?? '',
    )
    expect(extended).toMatchObject({ purchase_code: codes.active, item: { version: '1.4.2' } })
    expect(extended.price).toBeUndefined()
  })
})

describe('an export', () => {
  async function download(page: Page, format: string) {
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByText(format, { exact: true }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ])
    await page.getByText('The file was downloaded.').waitFor()
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }

  test('as CSV has a line for each purchase that is shown', async () => {
    const { page, expectClean } = await open('/w/ada-studio/purchases?state=refunded')
    await page.getByText('13 purchases').waitFor()
    const { name, text } = await download(page, 'CSV')
    expect(name).toMatch(/^purchases-ada-studio-\d{4}-\d\d-\d\d\.csv$/)
    expect(text.trim().split(/\r?\n/)).toHaveLength(1 + 13)
    expect(text).toContain(codes.refunded)
    expect(text).not.toContain(codes.active)
    expectClean([codes.refunded])
  })

  test('as NDJSON has records that the import takes', async () => {
    const { page } = await open('/w/ada-studio/purchases?item=101')
    await page.getByText('4 purchases').waitFor()
    const { name, text } = await download(page, 'NDJSON')
    expect(name).toMatch(/\.ndjson$/)
    const records = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(records.map(({ type, item }) => [type, item])).toEqual(Array(4).fill(['purchase', 101]))
  })

  test('has to wait while two others of the owner are being made, and the page says so', async () => {
    const { page, context } = await open()
    const [second, third] = [await context.newPage(), await context.newPage()]
    for (const other of [second, third]) await other.goto(page.url())
    for (const each of [page, second, third]) await each.getByRole('button', { name: 'Export' }).click()
    // An export begins with a line in the audit log, which has to wait for whoever else writes.
    const writer = new DatabaseSync(setting.service.database)
    writer.exec('BEGIN IMMEDIATE')
    try {
      const begun = [second, third].map((other) => other.waitForRequest('**/purchases/export'))
      for (const other of [second, third]) await other.getByRole('button', { name: 'Download' }).click()
      await Promise.all(begun)
      await page.waitForTimeout(300)
      await page.getByRole('button', { name: 'Download' }).click()
      await page.getByRole('dialog').getByText('Other exports are still being made.').waitFor()
    } finally {
      writer.exec('ROLLBACK')
      writer.close()
    }
    for (const other of [second, third]) await other.getByText('The file was downloaded.').waitFor()
    await page.getByRole('button', { name: 'Download' }).click()
    await page.getByText('The file was downloaded.').waitFor()
  })
})
