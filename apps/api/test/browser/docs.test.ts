import { openBrowser } from '@saleproof/browser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveDocs } from '../support/docs-server.ts'

let docs: Awaited<ReturnType<typeof serveDocs>>
let url: string
let prefixed: string
let browser: Browser

beforeAll(async () => {
  docs = await serveDocs('1.2.3')
  url = docs.url
  prefixed = docs.address.prefixed
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  docs.close()
})

/** A page, what its console said and which hosts it asked. */
async function open(address: string, options: Parameters<Browser['newPage']>[0] = {}) {
  const page = await browser.newPage(options)
  const complaints: string[] = []
  const hosts = new Set<string>()
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
  page.on('pageerror', (error) => void complaints.push(error.message))
  page.on(
    'request',
    (request) => void hosts.add(request.url().startsWith('data:') ? '' : new URL(request.url()).origin),
  )
  await page.goto(address)
  return { page, complaints, hosts }
}

const isWiderThanItsWindow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')

test.each(['', '/shop'])(
  'the reference shows the operations below "%s" and asks no other host',
  async (prefix) => {
    const { page, complaints, hosts } = await open(`${url}${prefix}/docs`)
    const items = page.locator('#listItems')
    await items.getByRole('button', { name: /^Try it/ }).click()
    await items.getByLabel('API key', { exact: true }).fill('sp_example')
    await items.getByRole('button', { name: 'Send the request' }).click()
    await items.getByText('No items found').last().waitFor()
    expect(docs.asked.at(-1)).toMatchObject({
      method: 'GET',
      path: `${prefix}/api/items/all`,
      authorization: 'Bearer sp_example',
    })
    expect(complaints).toEqual([])
    expect([...hosts]).toEqual([url])
    await page.close()
  },
)

const screens = [
  { name: 'phone', viewport: { width: 320, height: 640 }, colorScheme: 'light' },
  { name: 'phone, dark', viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
  { name: 'desk, dark', viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
] as const

test.each(screens)('the page of error codes on a $name', async ({ viewport, colorScheme }) => {
  const { page, complaints, hosts } = await open(`${prefixed}/docs/errors#item_not_found`, {
    viewport,
    colorScheme,
  })
  expect(await isWiderThanItsWindow(page)).toBe(false)
  const colour = await page.evaluate('getComputedStyle(document.body).backgroundColor')
  expect(colour).toBe(colorScheme === 'dark' ? 'rgb(16, 20, 18)' : 'rgb(250, 248, 243)')
  expect(await page.locator('section:target').getAttribute('id')).toBe('item_not_found')
  await page.getByRole('link', { name: 'API reference' }).click()
  await page.waitForSelector('#listItems')
  expect(page.url()).toBe(`${prefixed}/docs`)
  expect(complaints).toEqual([])
  expect([...hosts].filter(Boolean)).toEqual([url])
  await page.close()
})
