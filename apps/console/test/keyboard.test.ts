import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { codes, passwords } from './records.ts'
import { useTestApp } from './test-app.ts'
import { heading } from './visitor.ts'

const app = useTestApp()

const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document
    return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? ''
  })

/** Presses Tab until an element with this text has the focus. */
async function tabTo(page: Page, text: RegExp) {
  for (let steps = 0; steps < 80; steps++) {
    await page.keyboard.press('Tab')
    if (text.test(await focused(page))) return
  }
  throw new Error(`Tab does not reach ${text}`)
}

/** Tab walks through the dialog and the browser's own controls, never through the page behind. */
async function staysInDialog(page: Page) {
  for (let steps = 0; steps < 20; steps++) {
    await page.keyboard.press('Tab')
    const isBehind =
      'document.activeElement !== document.body && document.activeElement.closest("dialog") === null'
    expect(await page.evaluate(isBehind)).toBe(false)
  }
}

test('a seller creates a key and checks a code by keyboard', async () => {
  const { page, go, expectClean } = await app.visit()
  await go('/w/ada-studio')
  await heading(page, 'Sign in').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type('ada')
  await page.keyboard.press('Tab')
  await page.keyboard.type(passwords.ada)
  await page.keyboard.press('Enter')
  await heading(page, 'Overview').waitFor()

  await tabTo(page, /^API Access$/)
  await page.keyboard.press('Enter')
  await heading(page, 'API Access').waitFor()
  // The title has the focus.
  expect(await focused(page)).toBe('API Access')

  await tabTo(page, /^New key$/)
  await page.keyboard.press('Enter')
  // The first field has the focus.
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name')
  await page.keyboard.type('by keyboard')
  await staysInDialog(page)
  await page.getByLabel('Name', { exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByTestId('api-key').waitFor()
  await tabTo(page, /^Done$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // The focus returns to the button.
  await expect.poll(() => focused(page)).toBe('New key')

  await tabTo(page, /^Show the key by keyboard \(…\w{4}\)$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toMatch(/^Show the key by keyboard /)

  await page.keyboard.press('Shift+Tab')
  await page.evaluate('document.activeElement.blur()')
  await tabTo(page, /^Skip to content$/)
  await tabTo(page, /^Check a code$/)
  await page.keyboard.press('Enter')
  await heading(page, 'Check a code').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1')
  await page.keyboard.press('Tab')
  await page.keyboard.type(codes.refunded)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'The purchase was refunded' }).waitFor()
  await tabTo(page, /^Open the purchase$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText(codes.refunded).first().waitFor()
  expectClean([codes.refunded, passwords.ada])
})

test('the focus stays in the panel of a purchase, whatever becomes of it', async () => {
  const { page, go } = await app.visitAs('ada')
  await go('/w/ada-studio/check')
  await page.getByLabel('Purchase code').fill(codes.refundMe)
  await page.keyboard.press('Enter')
  await tabTo(page, /^Open the purchase$/)
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog')
  await panel.getByText(codes.refundMe).first().waitFor()
  for (const [action, done] of [
    ['Mark as refunded', 'The purchase is refunded'],
    ['Reinstate', 'The purchase is active'],
    ['Revoke', 'The purchase is revoked'],
    ['Reinstate', 'The purchase is active'],
  ] as const) {
    await tabTo(page, new RegExp(`^${action}$`))
    await page.keyboard.press('Enter')
    const confirmation = page.getByRole('alertdialog')
    // The confirmation names the code and the item.
    await confirmation.getByText(codes.refundMe).waitFor()
    await confirmation.getByText('Harbour icons').waitFor()
    await staysInDialog(page)
    await confirmation.getByRole('button', { name: action, exact: true }).focus()
    await page.keyboard.press('Enter')
    await confirmation.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toContain(done)
    await staysInDialog(page)
  }
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

test('the focus goes to the result after a key was revoked', async () => {
  const { page, go } = await app.visitAs('ada')
  await go('/w/ada-studio/settings/api-access')
  await page.getByRole('button', { name: 'New key' }).first().click()
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name')
  await page.keyboard.type('to revoke by keyboard')
  await page.keyboard.press('Enter')
  await page.getByTestId('api-key').waitFor()
  await page.keyboard.press('Escape')
  await tabTo(page, /^Revoke the key to revoke by keyboard \(…\w{4}\)$/)
  await page.keyboard.press('Enter')
  const confirmation = page.getByRole('alertdialog')
  await confirmation.waitFor()
  await expect.poll(() => focused(page)).toBe('Cancel')
  await tabTo(page, /^Revoke key$/)
  await page.keyboard.press('Enter')
  await confirmation.waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toMatch(/^The key to revoke by keyboard \(…\w{4}\) was revoked\.$/)
})

test('a seller withdraws an item and brings it back by keyboard', async () => {
  const { page, go, expectClean } = await app.visitAs('ada')
  await go('/w/ada-studio/items/110')
  await heading(page, 'Pack number 10').waitFor()
  for (const [action, done] of [
    ['Withdraw item', 'Pack number 10 is withdrawn.'],
    ['Bring back', 'Pack number 10 is listed again.'],
  ] as const) {
    await tabTo(page, new RegExp(`^${action}$`))
    await page.keyboard.press('Enter')
    const confirmation = page.getByRole('alertdialog', { name: /Pack number 10/ })
    await confirmation.waitFor()
    await expect.poll(() => focused(page)).toBe('Cancel')
    await staysInDialog(page)
    await page.keyboard.press('Escape')
    await confirmation.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe(action)
    await page.keyboard.press('Enter')
    await confirmation.getByRole('button', { name: action }).focus()
    await page.keyboard.press('Enter')
    await confirmation.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe(done)
  }
  await page.getByText(/^Withdrawn on/).waitFor({ state: 'detached' })
  expectClean()
})

test('the first tab stop skips the navigation', async () => {
  const { page, go } = await app.visitAs('ada')
  await go('/w/ada-studio/items')
  await page.getByText('60 items').waitFor()
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Skip to content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  // The first of the page's own actions.
  expect(await focused(page)).toBe('Import')
})
