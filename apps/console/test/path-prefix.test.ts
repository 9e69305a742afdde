import { describe, expect, test } from 'vitest'
import { useTestApp } from './test-app.ts'
import { heading } from './visitor.ts'

describe('below a path prefix in PUBLIC_URL', () => {
  const app = useTestApp({ prefix: '/market/place' })

  test('pages, files and endpoints are found, also after a reload of a nested page', async () => {
    const { page, go, signIn, expectClean } = await app.visit()
    await go('/w/ada-studio/items/103')
    await signIn('ada')
    await heading(page, 'Pack number 3').waitFor()
    expect(new URL(page.url()).pathname).toBe('/market/place/console/w/ada-studio/items/103')
    await page.reload()
    await heading(page, 'Pack number 3').waitFor()
    await page.getByRole('link', { name: 'Check a code' }).click()
    await heading(page, 'Check a code').waitFor()
    expect(new URL(page.url()).pathname).toBe('/market/place/console/w/ada-studio/check')
    await page.getByRole('link', { name: 'API reference' }).click()
    await page.waitForURL(/\/market\/place\/docs$/)
    expectClean()
  })
})
