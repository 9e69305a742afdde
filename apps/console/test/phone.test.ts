import { expect, test } from 'vitest'
import { texts } from './languages.ts'
import { codes, keys } from './records.ts'
import { useTestApp } from './test-app.ts'
import { heading } from './visitor.ts'

const app = useTestApp()
const { pt } = texts

test('on a phone, in Portuguese: creates a key, checks a code and reads the overview', async () => {
  const { page, go, signIn, expectClean } = await app.visit({
    viewport: { width: 390, height: 844 },
    language: 'pt',
    hasTouch: true,
    isMobile: true,
  })
  await go('')
  await signIn('ada')
  await go('/w/ada-studio')
  await heading(page, pt.nav.overview).waitFor()

  await page.getByRole('link', { name: pt.nav.more }).tap()
  await page.getByRole('link', { name: pt.nav.apiAccess }).tap()
  await heading(page, pt.nav.apiAccess).waitFor()
  await page.getByRole('button', { name: pt.keys.newKey }).first().tap()
  await page.getByLabel(pt.keys.form.name, { exact: true }).fill('loja')
  await page.getByRole('button', { name: pt.keys.form.submit }).tap()
  const key = (await page.getByTestId('api-key').textContent()) ?? ''
  expect(await app.validate(codes.active, { key })).toBe(200)
  expect(await app.validate(codes.active, { key: keys.old })).toBe(401)
  await page.getByRole('button', { name: pt.keys.created.done }).tap()

  await page.getByRole('link', { name: pt.nav.checkShort, exact: true }).tap()
  await page.getByLabel(pt.purchases.fields.purchase_code).fill(codes.refunded)
  await page.getByRole('button', { name: pt.check.submit, exact: true }).tap()
  await page.getByRole('heading', { name: pt.check.reasons.refunded.title }).waitFor()
  await page.getByText(pt.check.reasons.refunded.nextStep).waitFor()

  await page.getByRole('link', { name: pt.nav.overview }).tap()
  await page.getByText(pt.overview.periods['7d']).tap()
  const failures = page.locator('section', {
    has: page.getByRole('heading', { name: pt.overview.charts.failures }),
  })
  // Requests with a revoked key are counted under its name.
  await expect
    .poll(async () => {
      await page.reload()
      await heading(page, pt.nav.overview).waitFor()
      await page.getByText(pt.overview.durability).waitFor()
      return failures.getByText(pt.overview.reasons.revoked_api_key).count()
    })
    .toBeGreaterThan(0)
  const byKey = page.locator('section', { has: page.getByRole('heading', { name: pt.overview.charts.keys }) })
  await byKey.getByText(pt.overview.table.open).tap()
  const rows = await byKey.getByRole('row').allTextContents()
  expect(rows.some((row) => row.startsWith('loja'))).toBe(true)
  expect(rows.some((row) => row.startsWith('old server'))).toBe(true)
  expectClean([key, codes.refunded])
})

test('on a phone the filters show on demand, and say how many are set', async () => {
  const { page, go, t, expectClean } = await app.visitAs('ada', { viewport: { width: 390, height: 844 } })
  await go('/w/ada-studio/purchases')
  const state = page.getByLabel(t.purchases.fields.state)
  await page.getByRole('button', { name: t.purchases.filters }).waitFor()
  expect(await state.isVisible()).toBe(false)
  // The list begins on the first screen.
  const { y } = (await page.getByRole('table').boundingBox()) ?? { y: Number.POSITIVE_INFINITY }
  expect(y).toBeLessThan(500)
  await page.getByRole('button', { name: t.purchases.filters }).press('Enter')
  await state.selectOption('refunded')
  await page.getByRole('button', { name: `${t.purchases.filters} (1)` }).waitFor()
  expectClean()
})

test('on a phone Back closes an opened purchase', async () => {
  const { page, go, expectClean } = await app.visitAs('ada', {
    viewport: { width: 390, height: 844 },
    language: 'pt',
    hasTouch: true,
    isMobile: true,
  })
  const sheet = page.getByRole('dialog')
  const onPurchases = heading(page, pt.nav.purchases)
  const open = async () => {
    await page.getByRole('button', { name: codes.active }).tap()
    await sheet.getByText(codes.active).first().waitFor()
  }
  await go('/w/ada-studio')
  await page.getByRole('link', { name: pt.nav.purchases }).tap()
  await open()
  expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain(codes.active)
  await page.goBack()
  await sheet.waitFor({ state: 'detached' })
  await onPurchases.waitFor()

  await page.setViewportSize({ width: 360, height: 740 })
  await open()
  // Their texts are on two lines at most.
  const buttons = await sheet.locator(':scope > div > :last-child button').all()
  expect(buttons).toHaveLength(3)
  for (const button of buttons) expect((await button.boundingBox())?.height).toBeLessThan(70)
  await sheet.getByRole('link', { name: 'Harbour icons' }).tap()
  await heading(page, 'Harbour icons').waitFor()
  await page.goBack()
  await onPurchases.waitFor()

  await open()
  await sheet.getByRole('button', { name: pt.actions.close }).tap()
  await sheet.waitFor({ state: 'detached' })
  await page.goBack()
  await heading(page, pt.nav.overview).waitFor()
  expectClean([codes.active])
})

test('on a phone no copy button covers the text that it copies', async () => {
  const { page, go } = await app.visitAs('ada', {
    viewport: { width: 390, height: 844 },
    language: 'pt',
    hasTouch: true,
    isMobile: true,
  })
  for (const path of ['/w/ada-studio/settings/api-access', '/w/ada-studio/items/102']) {
    await go(path)
    const blocks = page.locator('section[tabindex="0"]')
    await blocks.first().waitFor()
    for (const block of await blocks.all()) {
      const text = await block.boundingBox()
      const button = await block.locator('xpath=..').getByRole('button').boundingBox()
      if (!text || !button) throw new Error('a code block or its button is not shown')
      expect(button.x, path).toBeGreaterThanOrEqual(text.x + text.width)
    }
  }
})
