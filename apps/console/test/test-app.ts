import { openBrowser } from '@saleproof/browser'
import type { Locale } from '@saleproof/schema/constants'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { localeOf } from './languages.ts'
import { keys, type Owner, passwords } from './records.ts'
import { type ServiceOptions, startService, type TestService } from './service.ts'
import { createVisitor, type Visitor } from './visitor.ts'

interface VisitorSettings extends BrowserContextOptions {
  language?: Locale
}

/** A service and a browser for the tests of a file. A visitor's browser context closes after its test. */
export function useTestApp(options: ServiceOptions = {}) {
  let service: TestService
  let browser: Browser
  const visitors: Visitor[] = []
  const permanentVisitors: Visitor[] = []

  async function open(list: Visitor[], { language = 'en', ...settings }: VisitorSettings) {
    const visitor = await createVisitor(browser, {
      url: service.url,
      locale: localeOf[language],
      ...settings,
    })
    visitor.page.setDefaultTimeout(20_000)
    list.push(visitor)
    return visitor
  }

  /** The cookies of a signed-in browser. */
  async function signIn(owner: Owner) {
    const context = await browser.newContext()
    const data = { login: owner, password: passwords[owner] }
    const response = await context.request.post(`${service.url}/console/api/session`, { data })
    expect(response.status()).toBe(200)
    const state = await context.storageState()
    await context.close()
    return state
  }

  const sessions = new Map<Owner, ReturnType<typeof signIn>>()
  function sessionOf(owner: Owner) {
    const session = sessions.get(owner) ?? signIn(owner)
    sessions.set(owner, session)
    return session
  }

  beforeAll(async () => {
    ;[service, browser] = await Promise.all([startService(options), openBrowser()])
  })

  afterEach(async () => {
    await Promise.all(visitors.splice(0).map((visitor) => visitor.close()))
  })

  afterAll(async () => {
    await Promise.all(permanentVisitors.map((visitor) => visitor.close()))
    await browser?.close()
    await service?.close()
  })

  /** Validates a code through the API and returns the HTTP status. */
  async function validate(code: string, caller: { key?: string; userAgent?: string } = {}) {
    const { key = keys.production, userAgent = 'test' } = caller
    const response = await fetch(`${service.url}/api/purchases/validation`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'user-agent': userAgent },
      body: new URLSearchParams({ purchase_code: code }),
    })
    return response.status
  }

  /** The link that the command prints to reset the password of an owner. */
  async function resetLink(owner: Owner): Promise<string> {
    const { stdout } = await service.run(['account', 'reset-link', owner], { PUBLIC_URL: service.url })
    return stdout.trim()
  }

  return {
    validate,
    resetLink,
    get url() {
      return service.url
    },
    get service() {
      return service
    },
    visit: (settings: VisitorSettings = {}) => open(visitors, settings),
    /** Signed in already. The tests of a file share the session, so none may end it. */
    visitAs: async (owner: Owner, settings: VisitorSettings = {}) =>
      open(visitors, { ...settings, storageState: await sessionOf(owner) }),
    /** For all tests of the file. */
    visitForAllTests: (settings: VisitorSettings = {}) => open(permanentVisitors, settings),
  }
}
