import type { locales } from '@saleproof/schema/constants'
import { describe, expect, test } from 'vitest'
import { tested } from './languages.ts'
import { useTestApp } from './test-app.ts'
import { heading } from './visitor.ts'

const app = useTestApp()

async function open(path = '/w/ada-studio/items', language: (typeof locales)[number] = 'en') {
  const visitor = await app.visitAs('ada', { language })
  await visitor.go(path)
  return visitor
}

describe.each(tested)('in %s', (language) => {
  test('search, filters and sorting are kept in the URL', async () => {
    const { page, t, expectClean } = await open('/w/ada-studio/items?search=zzz', language)
    await page.getByText(t.items.noneFound).waitFor()
    await page.getByRole('button', { name: t.items.clearFilters }).click()
    await page.getByText(t.items.count(60)).waitFor()
    const search = page.getByLabel(t.items.search)
    expect(await search.inputValue()).toBe('')

    await search.fill('harbour')
    await page.getByText(t.items.count(1), { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Harbour icons' }).waitFor()
    await page.waitForURL(/search=harbour/)

    await search.fill('')
    await page.getByText(t.items.count(60)).waitFor()
    await page.getByLabel(t.items.fields.category, { exact: true }).selectOption('Graphics (20)')
    await page.getByText(t.items.count(20)).waitFor()
    await page.getByLabel(t.items.fields.kind, { exact: true }).selectOption(t.items.kinds.video)
    await page.getByText(t.items.noneFound).waitFor()
    await page.getByLabel(t.items.fields.category, { exact: true }).selectOption(t.items.allCategories)
    await page.getByLabel(t.items.fields.kind, { exact: true }).selectOption(t.items.kinds.audio)
    await page.getByText(t.items.count(20)).waitFor()
    await page.getByLabel(t.items.sort).selectOption(t.items.sorts.id)
    const first = page.getByRole('rowheader').first().getByText('Harbour icons', { exact: true })
    await first.waitFor()
    await page.reload()
    await first.waitFor()
    expectClean()
  })

  test('an item shows all its fields and both shapes, and loads media on request only', async () => {
    const { media } = app.service
    media.requests.length = 0
    const { page, t, errors, expectClean } = await open(
      '/w/ada-studio/items?search=number%202&sort=id',
      language,
    )
    await page.getByRole('link', { name: 'Pack number 2', exact: true }).click()
    await heading(page, 'Pack number 2').waitFor()
    const labels = await page.locator('dt').allTextContents()
    const { fields } = t.items
    expect(labels).toEqual([
      t.items.sold,
      fields.id,
      fields.category,
      fields.sub_category,
      fields.version,
      fields.published_at,
      fields['price.regular'],
      fields['price.extended'],
      fields.support,
      fields.url,
      fields.demo_link,
      fields.options,
      fields.tags,
    ])
    const json = async (name: string) =>
      JSON.parse((await page.getByRole('region', { name }).textContent()) ?? '')
    const { shapes, media: texts } = t.items
    const [base, extended] = [await json(shapes.base), await json(shapes.extended)]
    expect([base.id, base.version, base.media.thumbnail]).toEqual([102, undefined, undefined])
    expect([extended.id, extended.version]).toEqual([102, '1.4.2'])

    await page.waitForLoadState('networkidle')
    expect(media.requests).toEqual([])
    expectClean()
    const thumbnail = fields['media.thumbnail']
    await page.getByRole('button', { name: texts.loadNamed(thumbnail) }).click()
    await expect.poll(() => media.requests).toEqual(['/thumbnail.png'])
    const frame = page.frameLocator(`iframe[title="${thumbnail}"]`)
    expect(await frame.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1)
    await page.getByRole('button', { name: texts.hide, exact: true }).click()
    await page.locator('iframe').waitFor({ state: 'detached' })

    await page.getByRole('link', { name: t.items.purchaseCount({ count: 120, more: false }) }).click()
    await heading(page, t.nav.purchases).waitFor()
    await page.getByText(t.purchases.count({ count: 120, more: false })).waitFor()
    expect(errors).toEqual([])
  })
})

test('a withdrawn item has a badge, can be found by its status and is not offered for sale', async () => {
  const { page, go, t } = await open('/w/ada-studio/items/111')
  const { items, purchases } = t
  const change = async (action: string) => {
    await page.getByRole('button', { name: action }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: action }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  }
  await change(items.withdrawItem.submit)
  await page.getByText(/^Withdrawn on/).waitFor()
  await go('/w/ada-studio/items')
  await page.getByLabel(purchases.fields.state, { exact: true }).selectOption(items.states.withdrawn)
  await page.getByText(items.count(2), { exact: true }).waitFor()
  await page.getByRole('rowheader', { name: /Pack number 11.*Withdrawn/ }).waitFor()

  await go('/w/ada-studio/purchases')
  await page.getByRole('button', { name: purchases.recordSale }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(items.search).fill('number 11')
  await dialog.getByText(items.noneFound).waitFor()
  await go('/w/ada-studio/items/111')
  await change(items.restoreItem.submit)
})

test('of two tabs that edit an item, the later one takes nothing back, and is asked where both changed a field', async () => {
  const { page, t } = await open('/w/ada-studio/items/110/edit')
  const other = await page.context().newPage()
  await other.goto(page.url())
  const { fields } = t.items
  const set = (tab: typeof page, field: keyof typeof fields, value: string) =>
    tab.getByLabel(fields[field], { exact: true }).fill(value)
  const save = (tab: typeof page) => tab.getByRole('button', { name: t.actions.save }).click()
  await other.getByLabel(fields.version, { exact: true }).waitFor()
  await set(page, 'version', '2.0.0')
  await set(page, 'category', 'Mine')
  await save(page)
  await heading(page, 'Pack number 10').waitFor()
  await set(other, 'sub_category', 'Other')
  // A reload keeps what was typed, with what was read: not what is stored by now.
  other.on('dialog', (dialog) => void dialog.accept())
  await other.reload()
  await set(other, 'version', '3.0.0')
  await save(other)
  await other.getByText(t.errors.conflict('2.0.0')).waitFor()
  // It is seen from the button far below.
  const notice = other.getByRole('alert')
  await expect.poll(async () => (await notice.boundingBox())?.y).toBeGreaterThan(0)
  expect(await other.getByLabel(fields.version, { exact: true }).inputValue()).toBe('3.0.0')
  await save(other)
  await heading(other, 'Pack number 10').waitFor()
  const row = (tab: typeof page, text: string) => tab.locator('dd').getByText(text, { exact: true })
  for (const text of ['3.0.0', 'Mine', 'Other']) await row(other, text).waitFor()

  // The edits that are discarded leave what is stored by now, without a warning.
  await page.getByRole('link', { name: t.items.form.edit }).click()
  await set(page, 'version', '4.0.0')
  await save(page)
  await page.getByText(t.errors.conflict('3.0.0')).waitFor()
  await page.getByRole('button', { name: t.actions.discard }).click()
  await expect.poll(() => page.getByLabel(fields.version, { exact: true }).inputValue()).toBe('3.0.0')
  expect(await page.getByText(t.actions.unsaved).count()).toBe(0)
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('an image that fails to load shows an icon and its address, and no broken image', async () => {
  const { page, t } = await open('/w/ada-studio/items/102')
  await page.route('**/thumbnail.png', (route) => route.fulfill({ status: 404, body: '' }))
  const { fields, media } = t.items
  /** The width of what covers the broken image of the browser, and the text above that. */
  const coverOf = async (name: string) => {
    await page.getByRole('button', { name: media.loadNamed(name) }).click()
    const image = page.frameLocator(`iframe[title="${name}"]`).locator('img')
    await expect.poll(() => image.evaluate(({ complete }: HTMLImageElement) => complete)).toBe(true)
    return image.evaluate((element) => {
      const { width } = getComputedStyle(element, '::before')
      return {
        width: Math.round(Number.parseFloat(width)),
        text: getComputedStyle(element, '::after').content,
      }
    })
  }
  const failed = await coverOf(fields['media.thumbnail'])
  const frame = await page.locator(`iframe[title="${fields['media.thumbnail']}"]`).boundingBox()
  expect(failed.width).toBe(Math.round(frame?.width ?? 0))
  expect(failed.text).toMatch(/^"http:.*thumbnail\.png"$/)
  // Without a box: the image is drawn instead.
  expect((await coverOf(fields['media.preview_image'])).width).toBeNaN()
})

test('the list loads more items', async () => {
  const { page, t } = await open()
  await page.getByText(t.items.count(60)).waitFor()
  expect(await page.getByRole('rowheader').count()).toBe(50)
  await page.getByRole('button', { name: t.actions.loadMore }).click()
  await expect.poll(() => page.getByRole('rowheader').count()).toBe(60)
  expect(await page.getByRole('button', { name: t.actions.loadMore }).count()).toBe(0)
})

test('unknown items and items of others are not found', async () => {
  const { page, go, t } = await app.visitAs('ada')
  for (const path of [
    '/ada-studio/items/9999',
    '/ada-studio/items/401',
    '/ada-studio/items/abc',
    '/bob-works/items',
  ]) {
    await go(`/w${path}`)
    await page.getByText(t.states.notFound).waitFor()
    expect(await page.getByText('secret item').count(), path).toBe(0)
  }
})

test.each(tested)(
  'a workspace without items says to use the buttons, and names no command (%s)',
  async (language) => {
    const { page, go, t, expectClean } = await app.visitAs('eva', { language })
    await go('/w/eva-loja/items')
    await page.getByText(t.items.none).waitFor()
    await page.getByText(t.items.noneText).waitFor()
    for (const name of [t.nav.import, t.items.form.newTitle])
      await page.getByRole('link', { name, exact: true }).waitFor()
    expect(await page.locator('main').textContent()).not.toContain('saleproof')
    expect(await page.locator('main pre').count()).toBe(0)
    expectClean()
  },
)
