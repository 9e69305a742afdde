import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { spokenIn } from './languages.ts'
import { type Owner, passwords } from './records.ts'

interface VisitorOptions extends BrowserContextOptions {
  /** The address of the service, path prefix included. */
  url: string
}

const isStill =
  'document.fonts.status === "loaded" && document.getAnimations().every(({ playState }) => playState !== "running")'

/** What a browser says of answers that are no success; the pages expect them. */
const isExpected = (text: string) => /^Failed to load resource: .* status of (401|403|404|422|429)/.test(text)

/**
 * Somebody with a browser of their own. Whatever the browser complains of is kept: errors, breaches of the policy, and every host that
 * was asked for anything.
 */
export async function createVisitor(browser: Browser, { url, locale = 'en-US', ...options }: VisitorOptions) {
  const spoken = spokenIn(locale)
  const context = await browser.newContext({ locale, timezoneId: 'America/Sao_Paulo', ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  const origins = new Set<string>()
  const addresses: string[] = []
  let [underWay, quietSince] = [0, performance.now()]
  const ended = () => {
    underWay--
    quietSince = performance.now()
  }
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isExpected(message.text()))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => void complaints.push(error.message))
  page.on('request', () => void underWay++)
  context.on('request', (request) => {
    const address = new URL(request.url())
    if (address.protocol !== 'blob:') origins.add(address.origin)
    addresses.push(request.url())
  })
  page.on('framenavigated', (frame) => void addresses.push(frame.url()))

  return {
    ...spoken,
    page,
    context,
    complaints,
    addresses,
    /** Nothing is asked for any more, and nothing moves. */
    async still() {
      while (underWay > 0 || performance.now() - quietSince < 60) await page.waitForTimeout(20)
      // Asked from here: the policy of the page lets nothing be waited for in it.
      while (!(await page.evaluate(isStill))) await page.waitForTimeout(20)
    },
    go: (path: string) => page.goto(`${url}/console${path}`),
    async signIn(owner: Owner) {
      const { signIn, nav } = spoken.t
      await page.getByLabel(signIn.login).fill(owner)
      await page.getByLabel(signIn.password, { exact: true }).fill(passwords[owner])
      await page.getByRole('button', { name: signIn.submit, exact: true }).click()
      await page.getByRole('navigation', { name: nav.label }).first().waitFor()
    },
    /** Nothing was complained of, no other host was asked for anything, and no secret stood in an address. */
    expectClean(secrets: readonly string[] = []) {
      expect(complaints).toEqual([])
      expect([...origins]).toEqual([new URL(url).origin])
      for (const secret of secrets)
        expect(addresses.filter((address) => decodeURIComponent(address).includes(secret))).toEqual([])
    },
    close: () => context.close(),
  }
}

export type Visitor = Awaited<ReturnType<typeof createVisitor>>

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true })
