import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pages, troubled } from './pages.ts'
import { codes, keys } from './records.ts'
import { useService } from './setting.ts'
import { heading, type Visitor } from './visitor.ts'

const setting = useService()

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
  await page.evaluate(await axe)
  const found = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as Violation[]
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}

const looks = [
  { look: 'light', viewport: { width: 1280, height: 860 }, colorScheme: 'light', locale: 'en-US' },
  { look: 'dark', viewport: { width: 1280, height: 860 }, colorScheme: 'dark', locale: 'pt-BR' },
  { look: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'light', locale: 'pt-BR' },
  { look: 'phone-dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'en-US' },
  { look: 'small-phone', viewport: { width: 320, height: 640 }, colorScheme: 'light', locale: 'en-US' },
] as const

beforeAll(async () => {
  await mkdir(screenshots, { recursive: true })
  const validate = (purchase_code: string) =>
    fetch(`${setting.url}/api/purchases/validation`, {
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

describe.each(looks)('in the look $look', ({ look, ...options }) => {
  const language = options.locale === 'pt-BR' ? 'pt' : 'en'
  let visitor: Visitor

  async function lookAt(name: string) {
    const { page } = visitor
    await page.screenshot({ path: join(screenshots, `${name}-${look}.png`), fullPage: true })
    expect(await isWiderThanItsWindow(page), name).toBe(false)
    expect(await violations(page), name).toEqual([])
  }

  beforeAll(async () => {
    visitor = await setting.stay({ ...options, reducedMotion: 'reduce' })
  })
  beforeEach(() => {
    visitor.complaints.length = 0
  })

  test('log-in', async () => {
    await visitor.go('')
    await heading(visitor.page, language === 'pt' ? 'Entrar' : 'Log in').waitFor()
    await visitor.still()
    await lookAt('log-in')
    visitor.expectClean()
    await visitor.logIn('ada', language)
  })

  test.each(pages)('$path', async ({ path, steps }) => {
    const { page, complaints } = visitor
    await visitor.go(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    for (const { name, act } of steps) {
      await act?.(page)
      await visitor.still()
      await lookAt(name)
    }
    expect(complaints).toEqual([])
  })

  // Twice is enough: in which it is asked for again for some seconds.
  const looksTroubled = look === 'light' || look === 'phone'
  test.each(looksTroubled ? troubled : [])(
    '%s that is on its way, and that cannot be had',
    async (name, path, endpoint) => {
      const { page } = visitor
      const waiting: Route[] = []
      let isComing = true
      await page.route(`**/console/api/workspaces/ada-studio/${endpoint}`, async (route) => {
        if (isComing) waiting.push(route)
        else await route.abort()
      })
      await visitor.go(path)
      await expect.poll(() => waiting.length).toBe(1)
      await expect.poll(() => page.evaluate('document.fonts.status')).toBe('loaded')
      await page.screenshot({ path: join(screenshots, `${name}-loading-${look}.png`) })
      isComing = false
      await waiting[0]!.abort()
      await page.getByRole('button', { name: /Try again|Tentar de novo/ }).waitFor()
      await page.unrouteAll()
      await visitor.still()
      await lookAt(`${name}-failed`)
      await page.getByRole('button', { name: /Try again|Tentar de novo/ }).click()
      await page.getByRole('alert').waitFor({ state: 'detached' })
    },
  )
})
