import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pages, troubled } from './page-list.ts'
import { codes, keys } from './records.ts'
import { useTestApp } from './test-app.ts'
import { heading, type Visitor } from './visitor.ts'

const app = useTestApp()

/** Looked at by people; not kept in the repository. */
const screenshots = join(import.meta.dirname, 'screenshots')
const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const options = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
  // A frame for media has no rights, and no script could answer from it.
  iframes: false,
}

interface Violation {
  id: string
  help: string
  nodes: { html: string; failureSummary: string }[]
}

async function violations(page: Page): Promise<string[]> {
  // In place of adding a script, which the policy of the page does not allow.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(await axe)
  const found = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as Violation[]
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}

const looks = [
  { look: 'light', viewport: { width: 1280, height: 860 }, colorScheme: 'light', language: 'en' },
  { look: 'dark', viewport: { width: 1280, height: 860 }, colorScheme: 'dark', language: 'pt' },
  { look: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'light', language: 'pt' },
  { look: 'phone-dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark', language: 'en' },
  { look: 'small-phone', viewport: { width: 320, height: 640 }, colorScheme: 'light', language: 'en' },
] as const

beforeAll(async () => {
  await mkdir(screenshots, { recursive: true })
  const validate = (purchase_code: string) =>
    fetch(`${app.url}/api/purchases/validation`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${keys.production}`,
        'user-agent': 'WordPress/6.8; https://example.com',
      },
      body: new URLSearchParams({ purchase_code }),
    })
  for (let times = 0; times < 9; times++) await validate(codes.active)
  for (const code of [codes.refunded, 'NOTHING-LIKE-THIS']) await validate(code)
})

const isWiderThanItsWindow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')

const standsStill = 'document.getAnimations().every(({ playState }) => playState !== "running")'

describe.each(looks)('in the look $look', ({ look, ...like }) => {
  const options = { ...like, reducedMotion: 'reduce' } as const
  let visitor: Visitor

  const screenshot = (page: Page, name: string, fullPage = true) =>
    page.screenshot({ path: join(screenshots, `${name}-${look}.png`), fullPage })

  async function lookAt({ page }: Visitor, name: string) {
    await screenshot(page, name)
    expect(await isWiderThanItsWindow(page), name).toBe(false)
    expect(await violations(page), name).toEqual([])
  }

  beforeAll(async () => {
    visitor = await app.stay(options)
  })
  beforeEach(() => {
    visitor.complaints.length = 0
  })

  test('sign-in', async () => {
    await visitor.go('')
    await heading(visitor.page, visitor.t.signIn.title).waitFor()
    await visitor.still()
    await lookAt(visitor, 'sign-in')
    visitor.expectClean()
    await visitor.signIn('ada')
  })

  test.each(pages)('$path', async ({ path, steps }) => {
    const { page, complaints } = visitor
    await visitor.go(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    for (const { name, act } of steps) {
      await act?.(page)
      await visitor.still()
      await lookAt(visitor, name)
    }
    expect(complaints).toEqual([])
  })

  async function lookAtTroubled([name, path, endpoint]: (typeof troubled)[number]) {
    const somebody = await app.visitAs('ada', options)
    const { page, t } = somebody
    const waiting: Route[] = []
    let isComing = true
    await page.route(`**/console/api/workspaces/ada-studio/${endpoint}`, async (route) => {
      if (isComing) waiting.push(route)
      else await route.abort()
    })
    await somebody.go(path)
    await expect.poll(() => waiting.length).toBe(1)
    await expect.poll(() => page.evaluate('document.fonts.status')).toBe('loaded')
    await expect.poll(() => page.evaluate(standsStill)).toBe(true)
    await screenshot(page, `${name}-loading`, false)
    isComing = false
    await waiting[0]!.abort()
    const again = page.getByRole('button', { name: t.actions.retry })
    await again.waitFor()
    await page.unrouteAll()
    await somebody.still()
    await lookAt(somebody, `${name}-failed`)
    await again.click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
  }

  // Twice is enough, and at the same time: it is asked for again for some seconds before a page gives up.
  if (look === 'light' || look === 'phone')
    test('pages whose data is on its way, and cannot be had', async () => {
      await Promise.all(troubled.map(lookAtTroubled))
    })
})
