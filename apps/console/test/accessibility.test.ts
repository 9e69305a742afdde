import { locales } from '@saleproof/schema/constants'
import type { Page, Route } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkVariants } from './axe.ts'
import { codes, passwords } from './records.ts'
import { useTestApp } from './test-app.ts'
import { heading, type Visitor } from './visitor.ts'

interface Step {
  name: string
  /** Runs before the step is checked. */
  act?: (page: Page) => Promise<unknown>
}

/** A page, and the steps to check on it. */
interface ListedPage {
  path: string
  steps: readonly Step[]
}

const firstButton = (page: Page, row: RegExp, at: number) =>
  page.getByRole('row', { name: row }).getByRole('button').nth(at)
const openAll = async (page: Page) => {
  for (const summary of await page.locator('details > summary').all()) await summary.click()
}
const checkCode = async (page: Page, code: string) => {
  await page.locator('textarea').fill(code)
  await page.locator('textarea').press('Enter')
  await page.getByRole('region').first().waitFor()
}
const row = (page: Page) => page.getByRole('rowheader').first().waitFor()
const dialog = (page: Page) => page.getByRole('dialog')
const close = async (page: Page) => {
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
}

const pages: readonly ListedPage[] = [
  {
    path: '/w/ada-studio?period=24h',
    steps: [
      { name: 'overview', act: (page) => page.getByRole('img').first().waitFor() },
      { name: 'overview-numbers', act: openAll },
      {
        name: 'failed-codes',
        async act(page) {
          await page.locator('main [aria-haspopup=dialog]').first().click()
          await dialog(page).getByRole('row').nth(1).waitFor()
        },
      },
    ],
  },
  {
    path: '/w/ada-sons?period=24h',
    steps: [
      { name: 'overview-start', act: (page) => page.getByRole('img').first().waitFor() },
      { name: 'overview-sales', act: openAll },
    ],
  },
  { path: '/w/ada-studio/items', steps: [{ name: 'items', act: row }] },
  { path: '/w/ada-studio/items?search=zzz', steps: [{ name: 'items-none' }] },
  {
    path: '/w/ada-studio/items/103',
    steps: [
      {
        name: 'item',
        async act(page) {
          await page.getByRole('region').first().waitFor()
          await page
            .locator('[aria-expanded=false]:visible', { hasText: /preview|prévia/ })
            .first()
            .click()
        },
      },
    ],
  },
  {
    path: '/w/ada-studio/items/104',
    steps: [
      {
        name: 'item-withdraw',
        async act(page) {
          await page.getByRole('button', { name: /Withdraw item|Retirar item/ }).click()
          await page.getByRole('alertdialog').waitFor()
        },
      },
    ],
  },
  {
    path: '/w/ada-studio/items?state=withdrawn',
    steps: [{ name: 'items-withdrawn', act: row }],
  },
  {
    path: '/w/ada-studio/items/160',
    steps: [{ name: 'item-withdrawn', act: (page) => page.getByRole('region').first().waitFor() }],
  },
  {
    path: '/w/ada-studio/new-item',
    steps: [{ name: 'new-item', act: (page) => page.locator('form').waitFor() }],
  },
  {
    path: '/w/ada-studio/items/103/edit',
    steps: [{ name: 'edit-item', act: (page) => page.locator('form').waitFor() }],
  },
  {
    path: '/w/ada-studio/import',
    steps: [
      { name: 'import' },
      {
        name: 'import-problems',
        async act(page) {
          const buffer = Buffer.from(
            'code,item,price,currency,date\nAXE0-0001-0001-0001,101,x,USD,2026-01-01\nAXE0-0001-0001-0002,101,5,USD,2026-01-01\n',
          )
          await page
            .locator('input[type=file]')
            .setInputFiles({ name: 'sales.csv', mimeType: 'text/csv', buffer })
          await page.getByRole('button', { name: /^(Check|Verificar)$/ }).click()
          await page.getByRole('table').nth(1).waitFor()
        },
      },
    ],
  },
  {
    path: '/w/ada-studio/purchases',
    steps: [
      { name: 'purchases', act: row },
      {
        name: 'purchases-no-code',
        async act(page) {
          await page.getByRole('searchbox').fill('NOTHING-LIKE-THIS')
          await page.getByRole('searchbox').press('Enter')
          await page.getByRole('rowheader').first().waitFor({ state: 'detached' })
        },
      },
    ],
  },
  {
    // A short list: behind a dialog the length of a page costs as much as without.
    path: '/w/ada-studio/purchases?item=101',
    steps: [
      {
        name: 'record-sale',
        async act(page) {
          await page.getByRole('button', { name: /Record a sale|Registrar uma venda/ }).click()
          await dialog(page).getByRole('radio').first().click()
          await dialog(page).locator('form').waitFor()
        },
      },
      {
        name: 'export',
        async act(page) {
          await close(page)
          await page.getByRole('button', { name: /^Export/ }).click()
          await dialog(page).waitFor()
        },
      },
      {
        name: 'purchase',
        async act(page) {
          await close(page)
          await page.getByRole('button', { name: codes.active }).click()
          await dialog(page).getByRole('region').first().waitFor()
        },
      },
      {
        name: 'purchase-refund',
        async act(page) {
          await dialog(page)
            .getByRole('button', { name: /refunded|reembolsada/ })
            .click()
          await page.getByRole('alertdialog').waitFor()
        },
      },
    ],
  },
  {
    path: '/w/ada-studio/check',
    steps: [
      { name: 'check' },
      { name: 'check-valid', act: (page) => checkCode(page, ` ${codes.active} `) },
      {
        name: 'check-refunded',
        async act(page) {
          await checkCode(page, codes.refunded)
          await page.getByRole('heading', { level: 2, name: /refunded|reembolsada/ }).waitFor()
        },
      },
    ],
  },
  {
    path: '/w/ada-studio/settings/api-access',
    steps: [
      { name: 'api-access', act: row },
      {
        name: 'new-key',
        async act(page) {
          await page
            .getByRole('button', { name: /New key|Nova chave/ })
            .first()
            .click()
          await dialog(page).getByRole('radio').nth(1).check()
          await dialog(page).getByRole('checkbox').first().waitFor()
        },
      },
      {
        name: 'show-key',
        async act(page) {
          await close(page)
          await firstButton(page, /^production/, 0).click()
          await dialog(page).waitFor()
        },
      },
      {
        name: 'revoke-key',
        async act(page) {
          await close(page)
          await firstButton(page, /^production/, 2).click()
          await page.getByRole('alertdialog').waitFor()
        },
      },
      {
        name: 'api-access-all',
        async act(page) {
          await page.keyboard.press('Escape')
          await page.getByRole('alertdialog').waitFor({ state: 'detached' })
          await openAll(page)
        },
      },
    ],
  },
  {
    path: '/w/ada-studio/settings/passes',
    steps: [
      { name: 'passes', act: (page) => page.getByRole('cell').first().waitFor() },
      {
        name: 'retire-signing-key',
        async act(page) {
          await page
            .getByRole('button', { name: /^(Retire|Aposentar)/ })
            .first()
            .click()
          await page.getByRole('alertdialog').waitFor()
        },
      },
    ],
  },
  { path: '/w/ada-studio/settings/workspace', steps: [{ name: 'settings' }] },
  {
    path: '/w/ada-studio/settings/activity',
    steps: [{ name: 'activity', act: (page) => page.getByRole('cell').first().waitFor() }],
  },
  {
    path: '/w/ada-studio/settings/activity?kind=service&by=admin_import',
    steps: [{ name: 'activity-none' }],
  },
  {
    path: '/account',
    steps: [
      { name: 'account', act: (page) => page.getByRole('listitem').last().waitFor() },
      {
        name: 'end-session',
        async act(page) {
          await page
            .getByRole('button', { name: /^(End session|Encerrar sessão):/ })
            .first()
            .click()
          await page.getByRole('alertdialog').waitFor()
        },
      },
    ],
  },
  { path: '/new-workspace', steps: [{ name: 'new-workspace' }] },
  { path: '/w/ada-studio/more', steps: [{ name: 'more' }] },
  { path: '/w/ada-studio/items/99999', steps: [{ name: 'not-found' }] },
]

/** Pages for the test of failing requests: name, path, and pattern of the request. */
const failingPages = [
  ['overview', '/w/ada-studio', 'overview*'],
  ['items', '/w/ada-studio/items', 'items*'],
  ['item', '/w/ada-studio/items/103', 'items/103'],
  ['activity', '/w/ada-studio/settings/activity', 'activity*'],
] as const

const app = useTestApp()

beforeAll(async () => {
  const validate = (code: string) => app.validate(code, { userAgent: 'WordPress/6.8; https://example.com' })
  for (let times = 0; times < 9; times++) await validate(codes.active)
  for (const code of [codes.refunded, 'NOTHING-LIKE-THIS']) await validate(code)
  // A session in another browser.
  const signedIn = await fetch(`${app.url}/console/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Firefox/133.0 (Windows)' },
    body: JSON.stringify({ login: 'ada', password: passwords.ada }),
  })
  expect(signedIn.status).toBe(200)
})

const noAnimationRuns = 'document.getAnimations().every(({ playState }) => playState !== "running")'

describe.each(locales)('in %s', (language) => {
  const options = { language, viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' } as const
  let visitor: Visitor

  beforeAll(async () => {
    visitor = await app.visitForAllTests(options)
  })
  beforeEach(() => {
    visitor.errors.length = 0
  })

  test('sign-in', async () => {
    await visitor.go('')
    await heading(visitor.page, visitor.t.signIn.title).waitFor()
    await visitor.waitUntilIdle()
    await checkVariants(visitor, 'sign-in')
    visitor.expectClean()
    await visitor.signIn('ada')
  })

  test('reset', async () => {
    const { page, t, errors } = visitor
    await page.goto(await app.resetLink('bob'))
    await page.getByLabel(t.settings.password.next, { exact: true }).waitFor()
    await visitor.waitUntilIdle()
    await checkVariants(visitor, 'reset')
    await visitor.go('/reset#not-a-token')
    await page.getByRole('alert').waitFor()
    await visitor.waitUntilIdle()
    await checkVariants(visitor, 'reset-invalid')
    expect(errors).toEqual([])
  })

  test.each(pages)('$path', async ({ path, steps }) => {
    const { page, errors } = visitor
    await visitor.go(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    for (const { name, act } of steps) {
      await act?.(page)
      await visitor.waitUntilIdle()
      await checkVariants(visitor, name)
    }
    expect(errors).toEqual([])
  })

  async function checkFailingPage([name, path, endpoint]: (typeof failingPages)[number]) {
    const other = await app.visitAs('ada', options)
    const { page, t } = other
    const held: Route[] = []
    let isHeld = true
    await page.route(`**/console/api/workspaces/ada-studio/${endpoint}`, async (route) => {
      if (isHeld) held.push(route)
      else await route.abort()
    })
    await other.go(path)
    await expect.poll(() => held.length).toBe(1)
    await expect.poll(() => page.evaluate('document.fonts.status')).toBe('loaded')
    await expect.poll(() => page.evaluate(noAnimationRuns)).toBe(true)
    isHeld = false
    await held[0]!.abort()
    const retry = page.getByRole('button', { name: t.actions.retry })
    await retry.waitFor()
    await page.unrouteAll()
    await other.waitUntilIdle()
    await checkVariants(other, `${name}-failed`)
    await retry.click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
  }

  test('pages that load and then fail', async () => {
    await Promise.all(failingPages.map(checkFailingPage))
  })
})
