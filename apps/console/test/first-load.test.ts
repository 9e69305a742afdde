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
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (!pathname.includes('/console/api/')) return
      const values = [...searchParams, ...Object.entries(request.postDataJSON() ?? {})]
      asked.push([pathname, ...values.map((value) => JSON.stringify(value)).sort()].join(' '))
    })
    const { bytes, wire, milliseconds } = await firstLoad(page, `${app.url}/console${path}`, selector)
    const kB = (size: number) => `${(size / 1000).toFixed(1)} kB`
    console.log(`${name}: ${kB(bytes)} (${kB(wire)} with headers), ${Math.round(milliseconds)} ms`)
    expect(bytes).toBeLessThan(budget)
    expect(bytes).toBeGreaterThan(20_000)
    expect(asked).toEqual([...new Set(asked)])
  })

  test('the first response shows the layout, before any file has come', async () => {
    const { page, expectClean } = await app.visit({ viewport: { width: 1280, height: 800 } })
    const released = Promise.withResolvers<void>()
    await page.route('**/assets/**', async (route) => {
      await released.promise
      await route.continue()
    })
    await page.goto(`${app.url}/console`, { waitUntil: 'commit' })
    const [side, main] = [page.locator('#shell > div').first(), page.locator('#shell > div').last()]
    await main.locator('i').last().waitFor()
    expect((await side.boundingBox())?.width).toBe(248)
    await page.setViewportSize({ width: 360, height: 740 })
    await expect.poll(async () => (await side.boundingBox())?.height).toBe(56)
    expect((await main.boundingBox())?.width).toBe(360)
    released.resolve()
    await page.locator('form').waitFor()
    expect(await page.locator('#shell').count()).toBe(0)
    expectClean()
  })

  test('on a slow line all is asked for before the program has loaded', async () => {
    const { page } = await app.visitAs('ada')
    const devTools = await page.context().newCDPSession(page)
    await devTools.send('Network.enable')
    await devTools.send('Network.clearBrowserCache')
    const line = { latency: 800, downloadThroughput: 50_000, uploadThroughput: 50_000 }
    await devTools.send('Network.emulateNetworkConditions', { offline: false, ...line })
    const requests: string[] = []
    page.on('request', (request) => void requests.push(request.url()))
    const program = page.waitForEvent('requestfinished', (request) => /\/main-[^/]*\.js$/.test(request.url()))
    const loading = firstLoad(page, `${app.url}/console/w/ada-studio/purchases`, '[role=rowheader]')
    await program
    for (const needed of [
      /\/session$/,
      /\/purchases\/search$/,
      /\/purchases-page-.*\.js$/,
      /\/en-[^/]*\.js$/,
    ])
      expect(requests.filter((url) => needed.test(url))).toHaveLength(1)
    // A browser sends six at once over HTTP/1.1, style sheets before scripts; the page itself is the first.
    for (const early of [/\/main-[^/]*\.css$/, /\/main-[^/]*\.js$/])
      expect(requests.slice(1, 8).filter((url) => early.test(url))).toHaveLength(1)
    const { milliseconds } = await loading
    const painted = await page.evaluate<number>('performance.getEntriesByType("paint")[0].startTime')
    console.log(`slow line: ${Math.round(painted)} ms, ${Math.round(milliseconds)} ms`)
  })

  test('what no page took is asked for again', async () => {
    const { page, go, t, urls } = await app.visitAs('ada')
    await page.clock.install()
    const released = Promise.withResolvers<void>()
    await page.route(/\/items-page-/, async (route) => {
      await released.promise
      await route.continue()
    })
    await go('/w/ada-studio/items')
    await page.getByRole('link', { name: t.nav.purchases }).first().waitFor()
    await page.clock.runFor(10_000)
    released.resolve()
    await page.getByText(t.items.count(60)).waitFor()
    expect(urls.filter((url) => url.endsWith('/api/workspaces/ada-studio/items'))).toHaveLength(2)
  })

  test('a service that does not answer is asked three times', async () => {
    const { page, go, t, urls } = await app.visit()
    await page.clock.install()
    await page.route('**/console/api/session', (route) => route.abort())
    await go('')
    await expect
      .poll(async () => {
        await page.clock.runFor(1000)
        return page.getByText(t.errors.codes.offline).count()
      })
      .toBe(1)
    expect(urls.filter((url) => url.endsWith('/session'))).toHaveLength(3)
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
