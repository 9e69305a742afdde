import type { Page } from 'playwright-core'

/** What a first load of a page took. */
export interface FirstLoad {
  /** Bytes of everything until the network is quiet, compressed as they came: contents alone. */
  bytes: number
  /** The same with the headers around them. */
  wire: number
  /** From the start of the navigation until what was waited for is seen. */
  milliseconds: number
}

/**
 * Notes in the page when it first shows something: polling from outside would find out late. A text, as the
 * types of a browser would hold for everything that imports this.
 */
const noteWhenShown = (selector: string) => `{
  const watch = new MutationObserver(() => {
    if (!document.querySelector(${JSON.stringify(selector)})) return
    watch.disconnect()
    requestAnimationFrame(() => { window.shownAt = performance.now() })
  })
  watch.observe(document, { childList: true, subtree: true })
}`

/** Adds up what a page loads from now on. */
export async function countBytes(page: Page) {
  const client = await page.context().newCDPSession(page)
  await client.send('Network.enable')
  const headers = new Map<string, number>()
  const counted = { bytes: 0, wire: 0 }
  client.on(
    'Network.responseReceived',
    ({ requestId, response }) => void headers.set(requestId, response.encodedDataLength),
  )
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    counted.wire += encodedDataLength
    counted.bytes += encodedDataLength - (headers.get(requestId) ?? 0)
  })
  return counted
}

/** Opens an address in a page that was nowhere yet, and waits until what it is about is seen. */
export async function firstLoad(page: Page, address: string, selector: string): Promise<FirstLoad> {
  const counted = await countBytes(page)
  await page.addInitScript({ content: noteWhenShown(selector) })
  await page.goto(address)
  await page.locator(selector).first().waitFor()
  await page.waitForLoadState('networkidle')
  return { ...counted, milliseconds: await page.evaluate<number>('shownAt') }
}
