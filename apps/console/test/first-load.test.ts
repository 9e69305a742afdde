import { countBytes, firstLoad } from '@saleproof/browser'
import { beforeAll, describe, expect, test } from 'vitest'
import { codes } from './records.ts'
import { useTestApp } from './test-app.ts'

const app = useTestApp()

const budget = 150_000

beforeAll(async () => void (await app.validate(codes.active)))

// Times are printed, not asserted: they depend on the load of the machine.
describe('the first load', () => {
  // Each selector waits for the data of the page.
  test.each([
    ['sign-in', '', 'form'],
    ['overview', '/w/ada-studio', 'main [role=img]'],
    ['overview in Portuguese', '/w/ada-studio', 'main [role=img]'],
    ['items', '/w/ada-studio/items', '[role=rowheader]'],
    ['item', '/w/ada-studio/items/101', 'main dl'],
    ['purchases', '/w/ada-studio/purchases', '[role=rowheader]'],
    ['check', '/w/ada-studio/check', 'textarea'],
    ['api-access', '/w/ada-studio/settings/api-access', '[role=rowheader]'],
    ['workspace', '/w/ada-studio/settings/workspace', 'main form'],
    ['account', '/account', 'main form'],
    ['activity', '/w/ada-studio/settings/activity', '[role=cell]'],
    ['API reference', '/../docs', '#validatePurchase'],
    ['API reference in Portuguese', '/../docs', '#validatePurchase'],
  ])('of %s is below 150 kB', async (name, path, selector) => {
    const language = name.endsWith('in Portuguese') ? 'pt' : 'en'
    const isPublic = name === 'sign-in' || name.startsWith('API reference')
    const { page } = await (isPublic ? app.visit({ language }) : app.visitAs('ada', { language }))
    const { bytes, wire, milliseconds } = await firstLoad(page, `${app.url}/console${path}`, selector)
    const kB = (size: number) => `${(size / 1000).toFixed(1)} kB`
    console.log(`${name}: ${kB(bytes)} (${kB(wire)} with headers), ${Math.round(milliseconds)} ms`)
    expect(bytes).toBeLessThan(budget)
    expect(bytes).toBeGreaterThan(20_000)
  })

  test('on a slow line something is shown, and all is asked for, before the program has loaded', async () => {
    const { page } = await app.visitAs('ada')
    const devTools = await page.context().newCDPSession(page)
    await devTools.send('Network.enable')
    await devTools.send('Network.clearBrowserCache')
    const line = { latency: 800, downloadThroughput: 50_000, uploadThroughput: 50_000 }
    await devTools.send('Network.emulateNetworkConditions', { offline: false, ...line })
    const requests: string[] = []
    page.on('request', (request) => void requests.push(request.url()))
    const program = page.waitForEvent('requestfinished', (request) => /\/main-[^/]*\.js$/.test(request.url()))
    const begin = performance.now()
    await page.goto(`${app.url}/console/w/ada-studio/purchases`, { waitUntil: 'commit' })
    await page.locator('progress').waitFor()
    const shown = performance.now() - begin
    await program
    for (const needed of [/\/api\/session$/, /\/purchases-page-.*\.js$/, /\/en-[^/]*\.js$/])
      expect(requests.filter((url) => needed.test(url))).toHaveLength(1)
    // A browser sends six at once over HTTP/1.1; the page itself is the first.
    for (const early of [/\/main-[^/]*\.css$/, /\/main-[^/]*\.js$/])
      expect(requests.slice(1, 7).filter((url) => early.test(url))).toHaveLength(1)
    await page.locator('[role=rowheader]').first().waitFor()
    console.log(`slow line: ${Math.round(shown)} ms, ${Math.round(performance.now() - begin)} ms`)
  })

  test('a second visit loads every file from the cache', async () => {
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
