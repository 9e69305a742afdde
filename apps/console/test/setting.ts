import { openBrowser } from '@saleproof/browser'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type ServiceOptions, startService, type TestService } from './service.ts'
import { createVisitor, type Visitor } from './visitor.ts'

/** A service and a browser for the tests of a file. Every visitor is checked and gone after its test. */
export function useService(options: ServiceOptions = {}) {
  let service: TestService
  let browser: Browser
  const visitors: Visitor[] = []
  const guests: Visitor[] = []

  async function welcome(among: Visitor[], like: BrowserContextOptions) {
    const visitor = await createVisitor(browser, { url: service.url, ...like })
    visitor.page.setDefaultTimeout(20_000)
    among.push(visitor)
    return visitor
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
    visit: (like: BrowserContextOptions = {}) => welcome(visitors, like),
    /** Somebody who stays for all tests of the file. */
    stay: (like: BrowserContextOptions = {}) => welcome(guests, like),
  }
}
