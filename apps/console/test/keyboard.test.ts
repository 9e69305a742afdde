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
  const isFocusBehind = 'document.querySelector("#console").contains(document.activeElement)'
  await expect.poll(() => page.evaluate(isFocusBehind)).toBe(false)
  // Tab stays inside the dialog. Base UI takes a moment to move the focus from its end to its start.
  for (let steps = 0; steps < 20; steps++) {
    await page.keyboard.press('Tab')
    await page.waitForTimeout(50)
    expect(await page.evaluate(isFocusBehind)).toBe(false)
  }
  await page.getByLabel('Name', { exact: true }).focus()
  await page.keyboard.type('by keyboard')
  await page.keyboard.press('Enter')
  await page.getByTestId('api-key').waitFor()
  await tabTo(page, /^Done$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // The focus returns to the button.
  await expect.poll(() => focused(page)).toBe('New key')

  await tabTo(page, /^Show the key by keyboard$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toBe('Show the key by keyboard')

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

test('the first tab stop skips the navigation', async () => {
  const { page, go } = await app.visitAs('ada')
  await go('/w/ada-studio/items')
  await page.getByText('60 items').waitFor()
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Skip to content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.type')).toBe('search')
})
