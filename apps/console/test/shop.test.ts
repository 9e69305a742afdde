import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { texts } from './languages.ts'
import { useTestApp } from './test-app.ts'
import { heading } from './visitor.ts'

const app = useTestApp()

const csv = (rows: readonly string[]) => ({
  name: 'sales.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`\ufeffLicense key;Amount;Currency;Date;Status\r\n${rows.join('\r\n')}\r\n`),
})

/** The next file is not read before `release` is called. */
const holdNextRead = `(() => {
  const { arrayBuffer } = Blob.prototype
  Blob.prototype.arrayBuffer = async function () {
    Blob.prototype.arrayBuffer = arrayBuffer
    await new Promise((resolve) => { globalThis.release = resolve })
    return arrayBuffer.call(this)
  }
})()`

test('a seller with only a browser goes from an empty workspace to a validated code', async () => {
  const { page, go, expectClean } = await app.visitAs('eva')
  await go('/w/eva-loja/items')
  await page.getByRole('link', { name: 'New item' }).click()
  await heading(page, 'New item').waitFor()
  await page.getByText(/^A plugin, a theme or a script can be any of these/).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Rain loops')
  await page.getByLabel('Type', { exact: true }).selectOption('audio')
  await page.getByLabel('Regular price').fill('19,90')
  await page.getByLabel('Extended price').fill('8')
  await page.getByText(texts.en.items.form.extendedLower).waitFor()
  await page.getByLabel('Extended price').fill('80')
  expect(await page.getByText(texts.en.items.form.extendedLower).count()).toBe(0)
  await page.getByLabel('Item page').fill('https://example.com/rain')
  await page.getByLabel('Preview image').fill('https://example.com/rain.png')
  await page.getByLabel('Preview audio').fill('https://example.com/rain.mp3')
  await page.getByLabel('Currency').fill('XYZ')
  await page.getByRole('button', { name: 'Create item' }).click()
  // What is wrong is beside the field, and nothing that was typed is lost.
  await page.getByText('Some fields are invalid.').waitFor()
  expect(await page.getByLabel('Currency').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Currency').fill('BRL')
  const id = await page.getByLabel('ID', { exact: true }).inputValue()
  await page.getByRole('button', { name: 'Create item' }).click()
  await heading(page, 'Rain loops').waitFor()

  await page.getByRole('link', { name: 'Edit item' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Rain loops 2')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await heading(page, 'Rain loops 2').waitFor()

  await go('/w/eva-loja/purchases')
  await page.getByRole('link', { name: 'Import' }).click()
  await heading(page, 'Import').waitFor()
  await page
    .getByLabel('File')
    .setInputFiles(
      csv(['EVA0-IMPORTED-0001;19,90;brl;2026-02-01;paid', 'EVA0-IMPORTED-0002;1.019,90;BRL;soon;refund']),
    )
  const pickItem = async () => {
    await page.getByRole('button', { name: 'Search for an item…' }).click()
    await page.getByRole('dialog').getByText('Rain loops 2', { exact: true }).click()
  }
  // What the file says is recognised and shown, with values of it.
  await page.getByRole('heading', { name: 'CSV: 2 rows with sales.' }).waitFor()
  expect(await page.getByLabel('Price paid', { exact: true }).inputValue()).toBe('1')
  await page.getByText('19,90 · 1.019,90').waitFor()
  await pickItem()
  expect(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByRole('heading', { name: '1 row with problems' }).waitFor()
  await page
    .locator(':focus')
    .getByText(/^They are left out/)
    .waitFor()
  await page.getByRole('row', { name: /^Date .*Line 3, “soon”/ }).waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download these rows' }).click()
  const rest = await readFile(await (await downloading).path(), 'utf8')
  expect(rest.split('\n')[1]).toBe(
    'EVA0-IMPORTED-0002;1.019,90;BRL;soon;refund;"Date: is not a date that can be read, such as 2026-01-31 or 31/01/2026"',
  )
  await page.getByRole('button', { name: 'Import the 1 good row' }).click()
  await page.getByText('The file is imported.').waitFor()

  // The rows that were left out are corrected, and imported as they came back.
  await page.getByLabel('File').setInputFiles({
    name: 'rest.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(rest.replace('soon', '2026-02-02')),
  })
  await page.getByRole('heading', { name: 'CSV: 1 row with sales.' }).waitFor()
  await pickItem()
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByText('Nothing was imported yet').waitFor()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('The file is imported.').waitFor()
  await page.getByRole('heading', { name: '1 row in the file:' }).waitFor()

  // A file is sent as it was chosen, and chosen again once it is corrected in place.
  const folder = await mkdtemp(join(tmpdir(), 'saleproof-import-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'records.ndjson')
  const input = page.getByLabel('File')
  const chooseAndCheck = async (text: string, corrected: string) => {
    await writeFile(path, text)
    const choosing = page.waitForEvent('filechooser')
    await input.click()
    // Otherwise choosing the same path changes nothing.
    expect(await input.inputValue()).toBe('')
    await (await choosing).setFiles(path)
    await page.getByText('records.ndjson', { exact: true }).waitFor()
    await writeFile(path, corrected)
    await page.getByRole('button', { name: 'Check', exact: true }).click()
  }
  const sale = {
    ...{ type: 'purchase', item: Number(id), purchase_code: 'EVA0-IMPORTED-0003', license_type: 'Regular' },
    ...{ price: 19.9, currency: 'BRL', downloaded: false, date: '2026-02-03T12:00:00Z' },
  }
  const good = JSON.stringify(sale)
  await chooseAndCheck(JSON.stringify({ ...sale, date: 'soon' }), good)
  await page.getByText('Nothing was imported. Fix these lines').waitFor()
  await chooseAndCheck(good, `${good}\n`)
  await page.getByText('1 new, 0 changed, 0 unchanged.').waitFor()
  // In place of a file that is gone by now, no former one is shown.
  await rm(path)
  await input.dispatchEvent('input')
  await page.getByText('The file could not be read. Select it again.').waitFor()
  expect(await page.getByText('records.ndjson', { exact: true }).count()).toBe(0)
  // One that takes long to read does not replace one that was chosen later.
  await page.evaluate(holdNextRead)
  const ndjson = (name: string, text: string) => ({ name, mimeType: '', buffer: Buffer.from(text) })
  await input.setInputFiles(ndjson('slow.ndjson', JSON.stringify({ ...sale, date: 'soon' })))
  await input.setInputFiles(ndjson('quick.ndjson', good))
  await page.getByText('quick.ndjson', { exact: true }).waitFor()
  await page.evaluate('release()')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByText('1 new, 0 changed, 0 unchanged.').waitFor()

  await go('/w/eva-loja/check')
  await page.getByLabel('Purchase code').fill('EVA0-IMPORTED-0001')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'The code is valid' }).waitFor()
  await page.getByLabel('Purchase code').fill('EVA0-IMPORTED-0002')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'The purchase was refunded' }).waitFor()
  expectClean(['EVA0-IMPORTED-0001', 'EVA0-IMPORTED-0002'])
})

/** Exports of shops, and how what is stored differs from them. */
interface SalesExports {
  timeZone: string
  exportOf: (
    name: string,
    count: number,
  ) => {
    text: string
    sales: readonly object[]
    rows: number
    good: number
    partial: number
    rejected: number
    oneCode: number
    lacks: readonly string[]
  }
  compareStored: (name: string, exported: string, items: Record<number, string>, made: object) => object
}

const salesExports = async (): Promise<SalesExports> =>
  import(new URL('../../api/test/support/sales-exports.ts', import.meta.url).href)

/** With the comma of thousands. */
const number = (count: number) => new Intl.NumberFormat('en').format(count)

const shops: readonly [name: string, title: string][] = [
  ['gumroad', 'Gumroad'],
  ['lemonsqueezy', 'Lemon Squeezy'],
  ['payhip', 'Payhip'],
  ['shopify', 'Shopify'],
  ['edd', 'Easy Digital Downloads'],
  ['woocommerce', 'License Manager for WooCommerce'],
  ['stripe', 'Stripe'],
  ['none', 'CSV'],
]

test.each(shops)(
  'the export of %s is moved in, with its items, and the same file again changes nothing',
  async (name, title) => {
    const { page, go } = await app.visitAs('eva')
    const { compareStored, exportOf, timeZone } = await salesExports()
    const made = exportOf(name, 5000)
    const { text, sales, rows, good, partial, rejected, oneCode, lacks } = made
    const file = { name: `${name}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) }
    const button = (label: string) => page.getByRole('button', { name: label, exact: true })
    async function check() {
      await go('/w/eva-loja/import')
      await page.getByLabel('File').setInputFiles(file)
      await page.getByRole('heading', { name: `${title}: ${number(rows)} rows with sales.` }).waitFor()
      expect(await page.getByLabel('Export of').locator('option').count()).toBe(shops.length)
      const asked = page.getByRole('heading', { name: 'Questions' })
      expect(await asked.count()).toBe(name === 'lemonsqueezy' ? 0 : 1)
      if (lacks.includes('currency')) await page.getByLabel('Currency of every row').fill('USD')
      if (lacks.includes('price')) await page.getByLabel('Price paid of every row').fill('5')
      const zone = page.getByLabel('Time zone')
      if ((await zone.count()) > 0) await zone.fill(timeZone)
      const codes = page.getByLabel(/ no code$/)
      if ((await codes.count()) > 0) await codes.selectOption({ label: 'Make codes for them' })
    }
    async function submit(changes: RegExp) {
      await button('Check').click()
      await page
        .getByRole('heading', { name: `${number(rejected)} row${rejected > 1 ? 's' : ''} with problems` })
        .waitFor()
      expect(await page.locator('dl').textContent()).toMatch(changes)
      await button(`Import the ${number(good)} good rows`).click()
      await page.getByText('The file is imported.').waitFor()
      expect(await page.locator('dl').textContent()).toMatch(changes)
    }

    await check()
    const items: Record<number, string> = {}
    const called = { 'Icon pack': '55', 'Rain loops': '56' }
    for (const [item, id] of Object.entries(called)) {
      // The first file creates the items; later ones find them by their name, where they have one.
      const select = page.getByLabel(`Your item: ${name === 'woocommerce' ? id : item}`)
      if (name === 'gumroad') await select.selectOption({ label: `Create “${item}”` })
      const options = await select.locator('option').allTextContents()
      if (name === 'woocommerce')
        await select.selectOption({ label: options.find((option) => option.startsWith(`${item} (`))! })
    }
    await submit(new RegExp(`New${number(sales.length)}Changed0Unchanged0`))
    if (partial > 0) await page.getByText(`${number(partial)} sales were refunded in part`).waitFor()
    if (oneCode > 0)
      await page.getByText(`${number(oneCode)} rows have one code for several pieces`).waitFor()

    await check()
    for (const [item, id] of Object.entries(called)) {
      // They are known, and not created again.
      const select = page.getByLabel(`Your item: ${name === 'woocommerce' ? id : item}`)
      expect(await select.locator('option', { hasText: 'Create' }).count()).toBe(0)
      const [, chosen] = /\((\d+)\)$/.exec((await select.locator('option:checked').textContent()) ?? '') ?? []
      items[Number(chosen)] = item
    }
    await submit(new RegExp(`New0Changed0Unchanged${number(sales.length)}`))

    const { request } = page.context()
    const { csrf_token: token } = await (await request.get(`${app.url}/console/api/session`)).json()
    const stored = await request.post(`${app.url}/console/api/workspaces/eva-loja/purchases/export`, {
      headers: { 'x-csrf-token': token },
      data: { format: 'ndjson' },
    })
    expect(compareStored(name, await stored.text(), items, made)).toEqual({
      missing: [],
      unexpected: [],
      codes: sales.length,
    })
    await page.getByRole('link', { name: 'Activity' }).click()
    // Once: the second import has changed nothing.
    await page.getByText(`purchases from ${name}.csv${name === 'none' ? '' : ` (${name})`}`).waitFor()
  },
)

test('an item that is not among the first ones is searched for', async () => {
  const { page, go } = await app.visitAs('ada')
  await go('/w/ada-studio/import')
  const row = (product: string) => `OTHER-0001-${product};19,90;BRL;2026-02-01;paid;${product}\r\n`
  const name = 'sales.csv'
  const text = `License key;Amount;Currency;Date;Status;Product\r\n${row('Elsewhere')}${row('Nowhere')}`
  const choose = (content: string) =>
    page.getByLabel('File').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
  await choose(text.split('\n')[0]!)
  await page.getByText('The file has no sales that can be read.').waitFor()
  await choose(text)
  const select = page.getByLabel('Your item: Elsewhere')
  await page
    .getByRole('row', { name: /Elsewhere/ })
    .getByRole('button')
    .click()
  await page.getByRole('dialog').getByRole('searchbox').fill('number 9')
  await page.getByRole('dialog').getByText('Pack number 9', { exact: true }).click()
  const chosen = () => select.locator('option:checked').textContent()
  expect(await chosen()).toBe('Pack number 9 (109)')
  // It is offered for the other one, and stays over a change of the columns.
  await page.getByLabel('Your item: Nowhere').selectOption({ label: 'Pack number 9 (109)' })
  const column = page.getByLabel('Item name', { exact: true })
  const product = await column.inputValue()
  await column.selectOption({ label: 'Not in the file' })
  await select.waitFor({ state: 'detached' })
  await column.selectOption(product)
  await expect.poll(chosen).toBe('Pack number 9 (109)')
})

test('a sale is recorded by hand, by keyboard, found by its customer, edited, and the customer erased', async () => {
  const { page, go, expectClean } = await app.visitAs('ada')
  await go('/w/ada-studio/purchases')
  await page.getByRole('button', { name: 'Record a sale' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Search by name/).waitFor()
  await page.keyboard.type('harbour')
  await dialog.getByRole('radio', { name: /Harbour icons/ }).focus()
  await page.keyboard.press('Space')
  const code = await dialog.getByLabel('Purchase code').inputValue()
  expect(code).toMatch(/^([2-9A-HJ-NP-Z]{5}-){3}[2-9A-HJ-NP-Z]{5}$/)
  await expect.poll(() => dialog.getByLabel(/^Price paid/).inputValue()).toBe('19.99')
  await dialog.getByLabel('License').selectOption('Extended')
  await expect.poll(() => dialog.getByLabel(/^Price paid/).inputValue()).toBe('99')
  await dialog.getByLabel('Date', { exact: true }).fill('2026-01-31')
  const email = 'Buyer@Example.com'
  await dialog.getByLabel('E-mail').fill(email)
  await dialog.getByLabel('Name', { exact: true }).fill('Bia Buyer')
  await dialog.getByLabel('Order').fill('#5001')
  await dialog.getByLabel('Purchase code').focus()
  await page.keyboard.press('Enter')
  await dialog.getByText('The sale is recorded').waitFor()
  expect(await app.validate(code)).toBe(200)
  await page.keyboard.press('Escape')

  await go('/w/ada-studio/check')
  await page.getByLabel('Purchase code').fill(`I lost my code. My address is ${email}, the order #5001.`)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '1 purchase of this customer' }).click()
  const search = page.getByRole('searchbox', { name: 'Search by code or customer' })
  expect(await search.inputValue()).toBe(email.toLowerCase())
  await search.fill('bia')
  await page.keyboard.press('Enter')
  await page.getByRole('cell', { name: 'Bia Buyer' }).waitFor()
  await page.getByRole('button', { name: code }).click()
  const panel = page.getByRole('dialog')
  await panel.getByText('Jan 31, 2026').first().waitFor()
  await panel.getByRole('button', { name: 'Edit', exact: true }).click()
  const edit = page.getByRole('dialog', { name: 'Edit the purchase' })
  await edit.getByLabel('License').selectOption('Regular')
  await edit.getByRole('button', { name: '12 more months of support' }).click()
  await edit.getByLabel('Note').fill('Asked twice')
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await panel.getByText('The purchase was changed.').waitFor()
  await panel.getByText('Changed: License, Supported until, Note, by ada').waitFor()
  await panel.getByText('Asked twice', { exact: true }).waitFor()
  await panel.getByRole('button', { name: 'Erase', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Erase', exact: true }).click()
  await panel.getByText('The customer was erased from 1 purchase.').waitFor()
  expect(await panel.getByText('Bia Buyer').count()).toBe(0)
  expect(await app.validate(code)).toBe(200)
  expectClean([code, email, 'buyer@example', 'Bia', '5001'])
})

test('what the browser finds wrong is said in the language of the console', async () => {
  const { page, go } = await app.visitAs('ada')
  await go('/w/ada-studio/new-item')
  await page.getByRole('button', { name: 'Create item' }).waitFor()
  await page.evaluate("localStorage.setItem('saleproof.language', 'pt')")
  const { items, errors } = texts.pt
  const messageOf = (label: string) =>
    page.getByLabel(label, { exact: true }).evaluate((field) => Reflect.get(field, 'validationMessage'))
  await go('/w/ada-studio/new-item')
  await page.getByRole('button', { name: items.form.create }).click()
  expect(await messageOf(items.fields.name)).toBe(errors.fields.required)
  await page.getByLabel(items.fields.name, { exact: true }).fill('Nome')
  expect(await messageOf(items.fields.name)).toBe('')
  await page.getByLabel(items.fields.url).fill('example.com')
  await page.getByRole('button', { name: items.form.create }).click()
  expect(await messageOf(items.fields.url)).toBe(errors.fields.link)
})

test('a code that is in use is refused, and stays in the field', async () => {
  const { page, go } = await app.visitAs('ada')
  await go('/w/ada-studio/purchases')
  await page.getByRole('button', { name: 'Record a sale' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio').first().click()
  await dialog.getByLabel('Purchase code').fill('MANY-0001-QRST-UVWX')
  // That of the item comes by itself; without one the browser sends nothing.
  await expect.poll(() => dialog.getByLabel(/^Price paid/).inputValue()).not.toBe('')
  await dialog.getByRole('button', { name: 'Record the sale' }).click()
  await dialog.getByText('Is stored already: choose another one.').waitFor()
  expect(await dialog.getByLabel('Purchase code').inputValue()).toBe('MANY-0001-QRST-UVWX')
  // A short one is stored with a warning, and a check of another one does not say that there are none so short.
  await dialog.getByLabel('Purchase code').fill('ABC')
  await dialog.getByRole('button', { name: 'Record the sale' }).click()
  await dialog.getByText('This code is shorter than 12 characters: it can be guessed.').waitFor()
  await go('/w/ada-studio/check')
  await page.getByLabel('Purchase code').fill('A4FA3F82')
  await page.keyboard.press('Enter')
  await page.getByText('it is shorter than codes usually are').first().waitFor()
  await page.getByRole('button', { name: 'Search the purchases' }).click()
  expect(await page.getByRole('searchbox', { name: 'Search by code or customer' }).inputValue()).toBe(
    'A4FA3F82',
  )
})

test('a price that is no amount is refused in words, and a double click records a sale once', async () => {
  const { page, go } = await app.visitAs('ada')
  await go('/w/ada-studio/purchases')
  await page.getByRole('button', { name: 'Record a sale' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio').first().click()
  const price = dialog.getByLabel(/^Price paid/)
  const submit = dialog.getByRole('button', { name: 'Record the sale' })
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/records')) requests.push(request.method())
  })
  const border = () =>
    price.evaluate((field) => Reflect.get(globalThis, 'getComputedStyle')(field).borderColor as string)
  const valid = await border()
  for (const text of ['abc', '1.234,50']) {
    await price.fill(text)
    await price.press('Tab')
    await dialog.getByText(texts.en.errors.amount).waitFor()
    await submit.click()
    expect(await price.evaluate((field) => Reflect.get(field, 'validationMessage'))).toBe(
      texts.en.errors.amount,
    )
  }
  expect(await border()).not.toBe(valid)
  expect(requests).toEqual([])
  await price.fill('12,50')
  await submit.dblclick()
  await dialog.getByText('The sale is recorded').waitFor()
  expect(requests).toEqual(['POST'])
})

/** The first such POST arrives, and its response is lost. */
async function loseResponse(page: Page, path: string) {
  const posts: string[] = []
  await page.route(`**${path}*`, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    posts.push(path)
    if (posts.length > 1) return route.fallback()
    await route.fetch()
    await route.abort()
  })
  return posts
}

test('a double click sends a form once, and what was sent before is not made twice', async () => {
  const { page, go, t } = await app.visitAs('ada')
  const sendTwice = async (path: string, button: Locator) => {
    const posts = await loseResponse(page, path)
    await button.dblclick()
    await page.getByText(t.errors.codes.offline).waitFor()
    expect(posts).toHaveLength(1)
    await button.click()
    await expect.poll(() => posts.length).toBe(2)
    await page.unroute(`**${path}*`)
  }
  await go('/w/ada-studio/settings/api-access')
  await page.getByRole('button', { name: t.keys.newKey }).click()
  await page.getByLabel(t.keys.form.name, { exact: true }).fill('sent twice')
  await sendTwice('/keys', page.getByRole('button', { name: t.keys.form.submit }))
  const key = (await page.getByTestId('api-key').textContent()) ?? ''
  await page.getByRole('button', { name: t.keys.created.done }).click()
  const rows = page.getByRole('row', { name: /^sent twice/ })
  expect(await rows.count()).toBe(1)
  const label = `sent twice (…${key.slice(-4)})`
  await page.getByRole('button', { name: t.keys.rotateNamed(label) }).click()
  await sendTwice('/rotate', page.getByRole('button', { name: t.keys.rotate.submit }))
  await page.getByTestId('api-key').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => rows.count()).toBe(2)

  await go('/w/ada-studio/new-item')
  const { fields, form } = t.items
  const values = {
    name: 'Sent twice',
    url: 'https://a.example',
    'media.preview_image': 'https://a.example/a.png',
  }
  for (const [path, value] of Object.entries(values))
    await page.getByLabel(fields[path as keyof typeof values], { exact: true }).fill(value)
  await page.getByLabel(fields['price.regular'], { exact: true }).fill('20')
  await page.getByLabel(fields['price.extended'], { exact: true }).fill('100')
  await sendTwice('/records', page.getByRole('button', { name: form.create }))
  await heading(page, 'Sent twice').waitFor()

  await go('/w/ada-studio/purchases')
  await page.getByRole('button', { name: 'Record a sale' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio').first().click()
  await expect.poll(() => dialog.getByLabel(/^Price paid/).inputValue()).not.toBe('')
  await sendTwice('/records', dialog.getByRole('button', { name: 'Record the sale' }))
  await dialog.getByText('The sale is recorded').waitFor()
})

test('the arrow keys browse the items of a sale, Enter picks one, and the focus goes on', async () => {
  const { page, go, expectClean } = await app.visitAs('ada')
  await go('/w/ada-studio/purchases')
  await page.getByRole('button', { name: 'Record a sale' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio').first().focus()
  for (const index of [1, 2]) {
    await page.keyboard.press('ArrowDown')
    expect(await dialog.getByRole('radio').nth(index).isChecked()).toBe(true)
  }
  const name = await dialog.getByRole('radio').nth(2).locator('..').locator('span').textContent()
  await page.keyboard.press('Enter')
  await dialog.getByText(name!, { exact: true }).waitFor()
  expect(await dialog.getByLabel('License').evaluate((field) => field === document.activeElement)).toBe(true)
  await dialog.getByRole('button', { name: 'Another item' }).click()
  await dialog.getByRole('radio').first().waitFor()
  expectClean()
})
