import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { codes, keys } from './records.ts'
import { useService } from './setting.ts'
import { heading } from './visitor.ts'

const setting = useService()

/** Looked at by people; not kept in the repository. */
const screenshots = join(import.meta.dirname, 'screenshots')
const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Violation {
  id: string
  help: string
  nodes: { html: string; failureSummary: string }[]
}

async function violations(page: Page): Promise<string[]> {
  // In place of adding a script, which the policy of the page does not allow.
  await page.evaluate(await axe)
  const found = (await page.evaluate(
    // A preview of a medium is a document of another origin, which no script of the page reaches.
    `axe.run(document, { runOnly: ${JSON.stringify(rules)}, iframes: false }).then(({ violations }) => violations)`,
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

interface Seen {
  name: string
  path: string
  /** What is done on the page before it is looked at. */
  act?: (page: Page) => Promise<unknown>
}

const firstButton = (page: Page, row: RegExp, at: number) =>
  page.getByRole('row', { name: row }).getByRole('button').nth(at)
const checkCode = async (page: Page, code: string) => {
  await page.locator('textarea').fill(code)
  await page.locator('textarea').press('Enter')
  await page.getByRole('region').first().waitFor()
}
const findCode = async (page: Page, code: string) => {
  await page.getByRole('searchbox').fill(code)
  await page.getByRole('searchbox').press('Enter')
}

const pages: readonly Seen[] = [
  {
    name: 'overview',
    path: '/w/ada-studio?period=24h',
    act: (page) => page.getByRole('img').first().waitFor(),
  },
  {
    name: 'overview-numbers',
    path: '/w/ada-studio?period=24h',
    act: async (page) => {
      await page.getByRole('img').first().waitFor()
      for (const summary of await page.locator('summary').all()) await summary.click()
    },
  },
  { name: 'overview-start', path: '/w/ada-sons' },
  {
    name: 'items',
    path: '/w/ada-studio/items',
    act: (page) => page.getByRole('rowheader').first().waitFor(),
  },
  { name: 'items-none', path: '/w/ada-studio/items?search=zzz' },
  {
    name: 'item',
    path: '/w/ada-studio/items/103',
    act: async (page) => {
      await page.getByRole('region').first().waitFor()
      await page
        .locator('[aria-expanded=false]:visible', { hasText: /preview|prévia/ })
        .first()
        .click()
    },
  },
  {
    name: 'purchases',
    path: '/w/ada-studio/purchases',
    act: (page) => page.getByRole('rowheader').first().waitFor(),
  },
  {
    name: 'purchases-no-code',
    path: '/w/ada-studio/purchases',
    act: (page) => findCode(page, 'NOTHING-LIKE-THIS'),
  },
  {
    name: 'purchase',
    path: '/w/ada-studio/purchases?item=101',
    act: async (page) => {
      await page.getByRole('button', { name: codes.active }).click()
      await page.getByRole('dialog').getByRole('region').first().waitFor()
    },
  },
  {
    name: 'purchase-refund',
    path: '/w/ada-studio/purchases?item=101',
    act: async (page) => {
      await page.getByRole('button', { name: codes.active }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /refunded|reembolsada/ })
        .click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'export',
    path: '/w/ada-studio/purchases',
    act: async (page) => {
      await page.getByRole('button', { name: /^Export/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'check', path: '/w/ada-studio/check' },
  { name: 'check-valid', path: '/w/ada-studio/check', act: (page) => checkCode(page, ` ${codes.active} `) },
  { name: 'check-refunded', path: '/w/ada-studio/check', act: (page) => checkCode(page, codes.refunded) },
  {
    name: 'api-access',
    path: '/w/ada-studio/settings/api-access',
    act: (page) => page.getByRole('rowheader').first().waitFor(),
  },
  {
    name: 'api-access-all',
    path: '/w/ada-studio/settings/api-access',
    act: async (page) => {
      await page.getByRole('rowheader').first().waitFor()
      for (const summary of await page.locator('summary').all()) await summary.click()
    },
  },
  {
    name: 'new-key',
    path: '/w/ada-studio/settings/api-access',
    act: async (page) => {
      await page
        .getByRole('button', { name: /New key|Nova chave/ })
        .first()
        .click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('radio').nth(1).check()
      await dialog.getByRole('checkbox').first().waitFor()
    },
  },
  {
    name: 'show-key',
    path: '/w/ada-studio/settings/api-access',
    act: async (page) => {
      await firstButton(page, /^production/, 0).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'revoke-key',
    path: '/w/ada-studio/settings/api-access',
    act: async (page) => {
      await firstButton(page, /^production/, 1).click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  { name: 'settings', path: '/w/ada-studio/settings/workspace' },
  { name: 'account', path: '/account' },
  { name: 'new-workspace', path: '/new-workspace' },
  { name: 'more', path: '/w/ada-studio/more' },
  { name: 'not-found', path: '/w/ada-studio/items/99999' },
]

beforeAll(async () => {
  await mkdir(screenshots, { recursive: true })
  const validate = (purchase_code: string) =>
    fetch(`${setting.url}/api/purchases/validation`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.production}` },
      body: new URLSearchParams({ purchase_code }),
    })
  for (let times = 0; times < 9; times++) await validate(codes.active)
  for (const code of [codes.refunded, 'NOTHING-LIKE-THIS']) await validate(code)
})

const isWiderThanItsWindow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')

/** Nothing moves any more, so that colours are what they will be. */
const still = (page: Page) =>
  page.waitForFunction('document.getAnimations().every(({ playState }) => playState !== "running")')

describe.each(looks)('in the look $look', ({ look, ...options }) => {
  const language = options.locale === 'pt-BR' ? 'pt' : 'en'

  async function look_(page: Page, name: string) {
    await page.waitForLoadState('networkidle')
    await still(page)
    await page.screenshot({ path: join(screenshots, `${name}-${look}.png`), fullPage: true })
    expect(await isWiderThanItsWindow(page)).toBe(false)
    expect(await violations(page)).toEqual([])
  }

  test('log-in', async () => {
    const { page, go, expectClean } = await setting.visit({ ...options, reducedMotion: 'reduce' })
    await go('')
    await heading(page, language === 'pt' ? 'Entrar' : 'Log in').waitFor()
    await look_(page, 'log-in')
    expectClean()
  })

  test.each(pages)('$name', async ({ name, path, act }) => {
    const { page, go, logIn, complaints } = await setting.visit({ ...options, reducedMotion: 'reduce' })
    await go(path)
    await logIn('ada', language)
    await page
      .getByRole('heading', { level: 1 })
      .or(page.getByText(/There is nothing here|Não há nada aqui/))
      .first()
      .waitFor()
    await act?.(page)
    await look_(page, name)
    expect(complaints).toEqual([])
  })
})
