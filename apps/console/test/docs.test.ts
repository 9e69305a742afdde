import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findPhp } from '@saleproof/php'
import { errorExplanations, type locales, operationErrors, operationList } from '@saleproof/schema/constants'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { docsTexts } from '../src/docs/texts.ts'
import { documented, tested } from './languages.ts'
import { codes, keys } from './records.ts'
import { useTestApp } from './test-app.ts'
import { heading } from './visitor.ts'

const adminToken = 'a-token-of-the-operator'
const app = useTestApp({ env: { ADMIN_TOKEN: adminToken } })
const run = promisify(execFile)

async function open(language: (typeof locales)[number] = 'en', hash = '', settings = {}) {
  const visitor = await app.visit({ language, ...settings })
  await visitor.page.goto(`${app.url}/docs${hash}`)
  const texts = docsTexts(language)
  await heading(visitor.page, texts.title).waitFor()
  return { ...visitor, texts }
}

const section = (page: Page, id: string) => page.locator(`section[id="${id}"]`)

/** Everything that the browser keeps of the page beyond its memory. */
const kept = (page: Page) =>
  page.evaluate(async () =>
    JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      history.state,
      location.href,
      await indexedDB.databases(),
      document.documentElement.outerHTML,
    ]),
  )

describe.each(tested)('in %s', (language) => {
  test('shows each operation with its path, its responses in both shapes and all of its errors', async () => {
    const { page, texts, expectClean } = await open(language)
    expect(await page.getAttribute('html', 'lang')).toBe(language)
    for (const { name, method, path } of operationList) {
      const operation = section(page, name)
      await operation.getByRole('heading', { level: 3, name: documented(language, name).title }).waitFor()
      await operation.getByText(path, { exact: true }).first().waitFor()
      await operation.getByText(method, { exact: true }).waitFor()
      await operation.locator('summary').click()
      for (const code of operationErrors(name)) {
        expect(await operation.getByRole('link', { name: code, exact: true }).count(), code).toBeGreaterThan(
          0,
        )
        await operation.getByText(errorExplanations[language][code]).first().waitFor()
      }
    }
    const validation = section(page, 'validatePurchase')
    const { title } = documented(language, 'validatePurchase')
    const body = validation.getByRole('region', { name: `${texts.responses.example}: ${title}` })
    const purchase = async () => JSON.parse((await body.textContent()) ?? '').data.purchase
    expect(await purchase()).toHaveProperty('price')
    await validation.getByRole('radio', { name: 'extended' }).click()
    expect(await purchase()).toHaveProperty('item.version')
    await section(page, 'importRecords').getByText('ADMIN_TOKEN', { exact: true }).first().waitFor()
    expectClean()
  })

  test('an operation is tried with a key', async () => {
    const { page, texts, expectClean } = await open(language)
    const { title } = documented(language, 'validatePurchase')
    const operation = section(page, 'validatePurchase')
    await operation.getByRole('button', { name: texts.tryIt.openNamed(title) }).click()
    await operation.getByLabel(texts.tryIt.key, { exact: true }).fill(keys.production)
    const tryCode = async (code: string) => {
      await operation.getByLabel('purchase_code', { exact: true }).fill(code)
      await operation.getByRole('button', { name: texts.tryIt.send }).click()
    }
    const body = operation.getByRole('region', { name: texts.tryIt.body })
    await tryCode(codes.active)
    await operation.getByRole('status').getByText('200', { exact: true }).waitFor()
    expect(JSON.parse((await body.textContent()) ?? '')).toMatchObject({
      status: 'success',
      data: { purchase: { purchase_code: codes.active } },
    })
    await operation.getByText('content-language', { exact: true }).waitFor()
    await tryCode(codes.refunded)
    await operation.getByRole('status').getByText(errorExplanations[language].purchase_not_active).waitFor()
    expectClean([keys.production, codes.active, codes.refunded])
  })
})

test('a language that was chosen stays, also in the console', async () => {
  const { page } = await open('en')
  await page.getByRole('radio', { name: 'Português' }).click()
  await heading(page, docsTexts('pt').title).waitFor()
  await page.reload()
  await heading(page, docsTexts('pt').title).waitFor()
  expect(await page.getAttribute('html', 'lang')).toBe('pt')
  await page.getByRole('link', { name: docsTexts('pt').nav.console, exact: true }).click()
  await heading(page, 'Entrar').waitFor()
})

test('a theme that was chosen stays', async () => {
  const { page } = await open('en', '', { colorScheme: 'light' })
  await page.getByRole('radio', { name: 'Dark' }).click()
  await page.reload()
  await heading(page, docsTexts('en').title).waitFor()
  expect(await page.getAttribute('html', 'data-theme')).toBe('dark')
})

test('leads back to the start page and to the console, and on to the errors and the document', async () => {
  const { page, texts } = await open()
  const leads = async (name: string) =>
    new URL((await page.getByRole('link', { name, exact: true }).first().getAttribute('href')) ?? '').pathname
  expect(await leads('Saleproof')).toBe('/')
  expect(await leads(texts.nav.start)).toBe('/')
  expect(await leads(texts.nav.console)).toBe('/console')
  expect(await leads(texts.nav.errors)).toBe('/docs/errors')
  expect(await leads('openapi.json')).toBe('/openapi.json')
})

test('an operation has a URL of its own', async () => {
  const { page } = await open('en', '#getItem')
  await expect
    .poll(() => section(page, 'getItem').evaluate((element) => element.getBoundingClientRect().top))
    .toBeLessThan(300)
  await page.getByRole('link', { name: 'List the items' }).first().click()
  expect(new URL(page.url()).hash).toBe('#listItems')
  await expect
    .poll(() => section(page, 'listItems').evaluate((element) => element.getBoundingClientRect().top))
    .toBeLessThan(300)
})

test('an operation is tried by keyboard alone', async () => {
  const { page, texts, expectClean } = await open('en')
  const focusedText = () =>
    page.evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
    )
  await page.keyboard.press('Tab')
  expect(await focusedText()).toBe('Skip to content')
  await page.keyboard.press('Enter')
  const wanted = texts.tryIt.openNamed(documented('en', 'getItem').title)
  for (let steps = 0; steps < 120 && (await focusedText()) !== wanted; steps++)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByLabel(texts.tryIt.key, { exact: true }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type(keys.production)
  // The button that shows the key, then the field.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('101')
  await page.keyboard.press('Enter')
  await section(page, 'getItem').getByRole('status').getByText('200', { exact: true }).waitFor()
  await section(page, 'getItem')
    .getByRole('region', { name: texts.tryIt.body })
    .getByText('Harbour icons')
    .first()
    .waitFor()
  expectClean([keys.production])
})

test('a key stays in the memory of the page: another operation has it, nothing keeps it', async () => {
  const { page, texts, expectClean, go } = await open()
  const account = section(page, 'getAccount')
  await account
    .getByRole('button', { name: texts.tryIt.openNamed(documented('en', 'getAccount').title) })
    .click()
  const field = account.getByLabel(texts.tryIt.key, { exact: true })
  expect(await field.getAttribute('autocomplete')).toBe('off')
  await field.fill(keys.production)
  await account.getByRole('button', { name: texts.tryIt.send }).click()
  await account.getByRole('status').getByText('200', { exact: true }).waitFor()
  expect(await kept(page)).not.toContain(keys.production)
  const items = section(page, 'listItems')
  const openItems = items.getByRole('button', {
    name: texts.tryIt.openNamed(documented('en', 'listItems').title),
  })
  await openItems.click()
  expect(await items.getByLabel(texts.tryIt.key, { exact: true }).inputValue()).toBe(keys.production)

  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })))
  expect(await field.inputValue()).toBe('')
  expect(await items.getByLabel(texts.tryIt.key, { exact: true }).inputValue()).toBe('')
  await expect.poll(() => account.getByText(texts.tryIt.result).count()).toBe(0)

  await field.fill(keys.production)
  await go('')
  await page.goBack()
  await heading(page, texts.title).waitFor()
  for (const input of await page.locator('input[name=credential]').all())
    expect(await input.inputValue()).toBe('')
  if ((await page.locator('input[name=credential]').count()) === 0) await openItems.click()
  expect(await items.getByLabel(texts.tryIt.key, { exact: true }).inputValue()).toBe('')
  expect(await kept(page)).not.toContain(keys.production)
  expectClean([keys.production])
})

test('records are stored only with the token and after the box is ticked', async () => {
  const { page, texts, expectClean } = await open()
  const { title } = documented('en', 'importRecords')
  const operation = section(page, 'importRecords')
  const stored = () => app.validate('DOCS-TRY-IT-0001')
  await operation.getByRole('button', { name: texts.tryIt.openNamed(title) }).click()
  const token = operation.getByLabel(texts.tryIt.token, { exact: true })
  const send = operation.getByRole('button', { name: texts.tryIt.send })
  await token.fill('another-token-of-another')
  const record = {
    type: 'purchase',
    item: 101,
    purchase_code: 'DOCS-TRY-IT-0001',
    license_type: 'Regular',
    price: 19.99,
    currency: 'USD',
    downloaded: false,
    date: '2026-01-01T00:00:00Z',
  }
  await operation.getByLabel(texts.tryIt.records).fill(JSON.stringify(record))
  await send.click()
  expect(await operation.getByText(texts.tryIt.result).count()).toBe(0)
  await operation.getByLabel(texts.tryIt.confirm).check()
  await send.click()
  await operation.getByRole('status').getByText('It is not the token in ADMIN_TOKEN.').waitFor()
  expect(await stored()).toBe(404)
  await token.fill(adminToken)
  await send.click()
  await operation.getByRole('status').getByText('200', { exact: true }).waitFor()
  expect(await stored()).toBe(200)
  expect(await kept(page)).not.toContain(adminToken)
  expectClean([adminToken])
})

test('a request without a response is said to be one', async () => {
  const { page, texts } = await open()
  await page.route('**/healthz', (route) => route.abort())
  const health = section(page, 'getHealth')
  await health
    .getByRole('button', { name: texts.tryIt.openNamed(documented('en', 'getHealth').title) })
    .click()
  await health.getByRole('button', { name: texts.tryIt.send }).click()
  await health.getByRole('alert').getByText(texts.tryIt.failed).waitFor()
})

test('on a phone the contents are a menu, which closes when a part was chosen', async () => {
  const { page, texts } = await open('pt', '', { viewport: { width: 390, height: 844 }, hasTouch: true })
  const menu = page.getByRole('button', { name: texts.nav.contents, exact: true })
  const link = page.getByRole('navigation').getByRole('link', { name: documented('pt', 'getItem').title })
  expect(await link.isVisible()).toBe(false)
  await menu.tap()
  await link.tap()
  expect(await link.isVisible()).toBe(false)
  expect(await menu.getAttribute('aria-expanded')).toBe('false')
  const top = await section(page, 'getItem').evaluate((element) => element.getBoundingClientRect().top)
  // Below the bar, which stays.
  expect(top).toBeGreaterThan(50)
  expect(top).toBeLessThan(300)
})

describe('the samples', () => {
  let folder: string
  beforeAll(async () => {
    // Inside the package, so that the SDK resolves.
    folder = await mkdtemp(join(import.meta.dirname, '.sample-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const env = {
    PATH: process.env.PATH ?? '',
    SALEPROOF_API_KEY: keys.production,
    ADMIN_TOKEN: adminToken,
  }

  async function output(name: string, text: string): Promise<string> {
    if (name === 'curl') return (await run('sh', ['-c', text], { env, cwd: folder })).stdout
    const file = join(folder, name === 'PHP' ? 'sample.php' : 'sample.mts')
    await writeFile(file, text)
    if (name === 'PHP') return (await findPhp()([file], env)).stdout
    return (await run(process.execPath, ['--conditions=@saleproof/source', file], { env, cwd: folder }))
      .stdout
  }

  test.each(['curl', 'JavaScript', 'PHP'])('for %s read an item', async (name) => {
    const { page } = await open()
    const operation = section(page, 'getItem')
    await operation.getByRole('radio', { name }).click()
    const text = (await operation.getByRole('region', { name: `${name}: ` }).textContent()) ?? ''
    expect(await output(name, text)).toContain('Harbour icons')
    // One choice for every operation.
    await section(page, 'getAccount')
      .getByRole('region', { name: `${name}: ` })
      .waitFor()
  })

  test('for curl import the file beside it', async () => {
    const { page } = await open()
    const operation = section(page, 'importRecords')
    const line = (await operation.getByRole('region', { name: 'sales.ndjson' }).textContent()) ?? ''
    await writeFile(join(folder, 'sales.ndjson'), line)
    const text = (await operation.getByRole('region', { name: 'curl: ' }).textContent()) ?? ''
    const response = JSON.parse(await output('curl', text))
    expect(response.counts.purchase).toEqual({ created: 1, updated: 0, unchanged: 0 })
    expect(await app.validate(JSON.parse(line).purchase_code)).toBe(200)
  })
})
