import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { languageFor } from './languages.ts'
import { type Owner, passwords } from './records.ts'

interface VisitorOptions extends BrowserContextOptions {
  /** The URL of the service, including a path prefix. */
  url: string
}

const isIdle =
  'document.fonts.status === "loaded" && document.getAnimations().every(({ playState }) => playState !== "running")'

/** The console handles these error responses; the browser logs them anyway. */
const isExpected = (text: string) => /^Failed to load resource: .* status of (401|403|404|422|429)/.test(text)

/** A user with a browser of their own. Records errors, violations of the content security policy, and requested hosts. */
export async function createVisitor(browser: Browser, { url, locale = 'en-US', ...options }: VisitorOptions) {
  const language = languageFor(locale)
  const context = await browser.newContext({ locale, timezoneId: 'America/Sao_Paulo', ...options })
  const page = await context.newPage()
  const errors: string[] = []
  const origins = new Set<string>()
  const urls: string[] = []
  let pendingRequests = 0
  let idleSince = performance.now()
  const onEnd = () => {
    pendingRequests--
    idleSince = performance.now()
  }
  page.on('requestfinished', onEnd)
  page.on('requestfailed', onEnd)
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isExpected(message.text()))
      errors.push(message.text())
  })
  page.on('pageerror', (error) => void errors.push(error.message))
  page.on('request', () => void pendingRequests++)
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'blob:') origins.add(origin)
    urls.push(request.url())
  })
  page.on('framenavigated', (frame) => void urls.push(frame.url()))

  return {
    ...language,
    page,
    context,
    errors,
    urls,
    /** Waits until no request is pending and no animation runs. */
    async waitUntilIdle() {
      while (pendingRequests > 0 || performance.now() - idleSince < 60) await page.waitForTimeout(20)
      // Polled from here, because the content security policy blocks `waitForFunction`.
      while (!(await page.evaluate(isIdle))) await page.waitForTimeout(20)
    },
    go: (path: string) => page.goto(`${url}/console${path}`),
    async signIn(owner: Owner) {
      const { signIn, nav } = language.t
      await page.getByLabel(signIn.login).fill(owner)
      await page.getByLabel(signIn.password, { exact: true }).fill(passwords[owner])
      await page.getByRole('button', { name: signIn.title, exact: true }).click()
      await page.getByRole('navigation', { name: nav.label }).first().waitFor()
    },
    /** No errors, no requests to other hosts, no secret in a URL. */
    expectClean(secrets: readonly string[] = []) {
      expect(errors).toEqual([])
      expect([...origins]).toEqual([new URL(url).origin])
      for (const secret of secrets)
        expect(urls.filter((requested) => decodeURIComponent(requested).includes(secret))).toEqual([])
    },
    close: () => context.close(),
  }
}

export type Visitor = Awaited<ReturnType<typeof createVisitor>>

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true })
