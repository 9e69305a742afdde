import type { Page } from 'playwright-core'
import { codes } from './records.ts'

interface Step {
  name: string
  /** Runs before the step is checked. */
  act?: (page: Page) => Promise<unknown>
}

/** A page, and the steps to check on it. */
export interface ListedPage {
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

export const pages: readonly ListedPage[] = [
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
export const failingPages = [
  ['overview', '/w/ada-studio', 'overview*'],
  ['items', '/w/ada-studio/items', 'items*'],
  ['item', '/w/ada-studio/items/103', 'items/103'],
  ['activity', '/w/ada-studio/settings/activity', 'activity*'],
] as const
