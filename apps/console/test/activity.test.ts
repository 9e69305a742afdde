import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { activity as en } from '../src/messages/en/activity.ts'
import { activity as pt } from '../src/messages/pt/activity.ts'
import { tested } from './languages.ts'
import { codes } from './records.ts'
import { useTestApp } from './test-app.ts'
import { heading } from './visitor.ts'

const app = useTestApp()
const texts = { en, pt }

const sentences = (page: Page) => page.getByRole('table').getByRole('rowheader').filter({ hasText: /\.$/ })

describe.each(tested)('in %s', (language) => {
  test('a seller reads by keyboard what was done, by whom and when', async () => {
    const { page, go, t, expectClean } = await app.visitAs('ada', { language })
    const activity = texts[language]
    const ada = {
      who: 'ada',
      by: 'account',
      key: '',
      item: '',
      purchase: '',
      state: undefined,
      records: '',
      file: '',
    } as const
    await go('/w/ada-studio/purchases?item=101')
    await page.getByRole('button', { name: codes.active }).click()
    await page.getByRole('dialog').getByRole('button', { name: t.purchases.actions.refund }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: t.purchases.actions.refund }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: t.nav.activity }).first().focus()
    await page.keyboard.press('Enter')
    await heading(page, t.nav.activity).waitFor()
    const purchase = activity.purchase(codes.active)
    await expect
      .poll(() => sentences(page).first().textContent())
      .toBe(activity.sentences['purchase.changed']({ ...ada, purchase, state: 'refunded' }))
    // The exact time is text.
    expect(await page.getByRole('table').locator('time').first().textContent()).toMatch(/\d{4}.*\d:\d\d/)

    await app.service.run(['backup', `copy-${language}.backup`])
    await page.getByLabel(activity.by, { exact: true }).focus()
    await page.keyboard.type(activity.actors.cli)
    await expect
      .poll(() => sentences(page).first().textContent())
      .toBe(activity.sentences.backup({ ...ada, who: activity.commandLine }))
    expect(new URL(page.url()).search).toBe('?by=cli')
    await page.getByLabel(activity.kind, { exact: true }).focus()
    await page.keyboard.type(activity.kinds.keys)
    const made = activity.sentences['key.created']({ ...ada, who: activity.commandLine, key: '' }).replace(
      '.',
      '',
    )
    await expect.poll(async () => (await sentences(page).first().textContent())?.startsWith(made)).toBe(true)
    expect(await page.getByText('production', { exact: false }).count()).toBeGreaterThan(0)

    // A filter that does not exist leaves nothing out.
    await go('/w/ada-studio/settings/activity?by=gone')
    await sentences(page).first().waitFor()
    await go('/w/ada-studio/settings/activity?kind=items&by=admin_import')
    await page.getByText(activity.none).waitFor()
    await page.getByRole('button', { name: activity.showAll }).focus()
    await page.keyboard.press('Enter')
    await sentences(page).first().waitFor()
    expectClean([codes.active])
  })

  test('older entries are loaded on demand', async () => {
    const { page, go, t } = await app.visitAs('ada', { language })
    for (let times = 0; times < 30; times++) {
      for (const state of ['refunded', 'active'])
        await page.context().request.post(`${app.url}/console/api/workspaces/ada-studio/purchases/state`, {
          headers: { 'x-csrf-token': await token(page) },
          data: { purchase_code: codes.refundMe, state },
        })
    }
    await go('/w/ada-studio/settings/activity')
    await expect.poll(() => sentences(page).count()).toBe(50)
    await page.getByRole('button', { name: t.actions.loadMore }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => sentences(page).count()).toBeGreaterThan(60)
  })
})

async function token(page: Page): Promise<string> {
  const response = await page.context().request.get(`${app.url}/console/api/session`)
  const { csrf_token: token } = await response.json()
  return token
}
