import { openBrowser } from '@saleproof/browser'
import type { Locale } from '@saleproof/schema'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { localeOf } from './languages.ts'
import { type Owner, passwords } from './records.ts'
import { type ServiceOptions, startService, type TestService } from './service.ts'
import { createVisitor, type Visitor } from './visitor.ts'

interface Like extends BrowserContextOptions {
  language?: Locale
}

/** A service and a browser for the tests of a file. Every visitor is checked and gone after its test. */
export function useTestApp(options: ServiceOptions = {}) {
  let service: TestService
  let browser: Browser
  const visitors: Visitor[] = []
  const guests: Visitor[] = []

  async function welcome(among: Visitor[], { language = 'en', ...like }: Like) {
    const visitor = await createVisitor(browser, { url: service.url, locale: localeOf[language], ...like })
    visitor.page.setDefaultTimeout(20_000)
    among.push(visitor)
    return visitor
  }

  /** What the browser of somebody remembers who has signed in. */
  async function signIn(owner: Owner) {
    const context = await browser.newContext()
    const data = { login: owner, password: passwords[owner] }
    const answer = await context.request.post(`${service.url}/console/api/session`, { data })
    expect(answer.status()).toBe(200)
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
    await Promise.all(guests.map((guest) => guest.close()))
    await browser?.close()
    await service?.close()
  })

  return {
    get url() {
      return service.url
    },
    get service() {
      return service
    },
    visit: (like: Like = {}) => welcome(visitors, like),
    /** Somebody who is already signed in, in a session that is shared with others of the file: it may not be ended. */
    visitAs: async (owner: Owner, like: Like = {}) =>
      welcome(visitors, { ...like, storageState: await sessionOf(owner) }),
    /** Somebody who stays for all tests of the file. */
    stay: (like: Like = {}) => welcome(guests, like),
  }
}
