import { countBytes, firstLoad } from '@saleproof/browser'
import { beforeAll, describe, expect, test } from 'vitest'
import { codes, keys } from './records.ts'
import { useTestApp } from './test-app.ts'

const app = useTestApp()

const budget = 150_000

beforeAll(async () => {
  await fetch(`${app.url}/api/purchases/validation`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.production}` },
    body: new URLSearchParams({ purchase_code: codes.active }),
  })
})

// Times are printed and not asserted: other work of the machine would decide.
describe('the first load', () => {
  // With the data that a page is about, not its heading alone.
  test.each([
    ['sign-in', '', 'form'],
    ['overview', '/w/ada-studio', 'main canvas'],
    ['items', '/w/ada-studio/items', '[role=rowheader]'],
    ['item', '/w/ada-studio/items/101', 'main dl'],
    ['purchases', '/w/ada-studio/purchases', '[role=rowheader]'],
    ['check', '/w/ada-studio/check', 'textarea'],
    ['api-access', '/w/ada-studio/settings/api-access', '[role=rowheader]'],
    ['workspace', '/w/ada-studio/settings/workspace', 'main form'],
    ['account', '/account', 'main form'],
  ])('of %s is small', async (name, path, selector) => {
    const { page } = await (name === 'sign-in' ? app.visit() : app.visitAs('ada'))
    const { bytes, wire, milliseconds } = await firstLoad(page, `${app.url}/console${path}`, selector)
    const [content, sent] = [bytes, wire].map((size) => (size / 1000).toFixed(1))
    console.log(`${name}: ${content} kB (${sent} kB with headers), ${Math.round(milliseconds)} ms`)
    expect(bytes).toBeLessThan(budget)
    expect(bytes).toBeGreaterThan(20_000)
  })

  test('a second visit loads no file again', async () => {
    const { page, go } = await app.visit()
    await go('')
    await page.locator('form').waitFor()
    const counted = await countBytes(page)
    await page.reload()
    await page.locator('form').waitFor()
    await page.waitForLoadState('networkidle')
    expect(counted.bytes).toBeLessThan(5000)
  })
})
