import { beforeAll, describe, expect, test } from 'vitest'
import { hasHorizontalScroll, violations } from './axe.ts'
import { tested } from './languages.ts'
import { keys } from './records.ts'
import { useTestApp } from './test-app.ts'
import { heading } from './visitor.ts'

const app = useTestApp({ env: { TRUST_PROXY: 'loopback' } })

const label = `production (…${keys.production.slice(-4)})`

beforeAll(async () => {
  const { context, page } = await app.visitAs('ada')
  for (let host = 1; host <= 24; host++) {
    const { status } = await fetch(`${app.url}/api/items/all`, {
      headers: { authorization: `Bearer ${keys.production}`, 'x-forwarded-for': `198.51.100.${host}` },
    })
    expect(status).toBe(200)
    // Uses within a second are recorded once, unless their key was listed meanwhile.
    const list = await context.request.get(`${app.url}/console/api/workspaces/ada-studio/keys`)
    expect(list.status()).toBe(200)
  }
  await page.close()
})

const variants = tested.flatMap((language) => [
  { language, colorScheme: 'light', width: 1280 } as const,
  { language, colorScheme: 'dark', width: 390 } as const,
])

describe.each(variants)('in $language, $colorScheme, $width px', ({ language, colorScheme, width }) => {
  test('a secret key that is used from many addresses leads to a publishable one, by keyboard', async () => {
    const viewport = { width, height: 860 }
    const visitor = await app.visitAs('ada', { language, colorScheme, viewport, reducedMotion: 'reduce' })
    const { page, t, go, waitUntilIdle, expectClean } = visitor
    const { exposed, form } = t.keys
    const isNamed = page.getByText(new RegExp(`${label.replace(/[()]/g, '\\$&')}.* (1\\d|2[0-4]) `))

    await go('/w/ada-studio')
    await isNamed.waitFor()
    await page.getByText(exposed.text).waitFor()
    await waitUntilIdle()
    expect(await violations(page)).toEqual([])
    expect(await hasHorizontalScroll(page)).toBe(false)
    await page.getByRole('link', { name: exposed.review }).focus()
    await page.keyboard.press('Enter')

    await heading(page, t.nav.apiAccess).waitFor()
    await isNamed.waitFor()
    await waitUntilIdle()
    expect(await violations(page)).toEqual([])
    expect(await hasHorizontalScroll(page)).toBe(false)
    await page.getByRole('button', { name: exposed.action }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: form.title })
    await dialog.waitFor()
    expect(await page.getByRole('radio', { name: t.keys.kinds.publishable }).isChecked()).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.textContent')).toBe(exposed.action)

    await page.getByRole('button', { name: t.keys.rotateNamed(label) }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: t.keys.rotateNamed(label) }).waitFor()
    await page.getByLabel(t.keys.rotate.ends).selectOption('now')
    await waitUntilIdle()
    expect(await violations(page)).toEqual([])
    expectClean()
  })
})
