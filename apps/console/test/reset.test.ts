import type { Locale } from '@saleproof/schema/constants'
import { describe, expect, test } from 'vitest'
import { tested } from './languages.ts'
import type { Owner } from './records.ts'
import { useTestApp } from './test-app.ts'
import { heading, type Visitor } from './visitor.ts'

// Forged links count as wrong passwords.
const app = useTestApp({ env: { SALEPROOF_SIGN_IN_LIMIT: 'off' } })

const forgetful = { en: 'cleo', pt: 'dina' } as const satisfies Record<Locale, Owner>

/** The fragment of a URL reaches no server. */
const sentUrls = ({ urls }: Visitor) => urls.map((url) => url.split('#')[0])

const newPassword = ({ page, t }: Visitor) => page.getByLabel(t.settings.password.next, { exact: true })

async function expectInvalid({ page, t }: Visitor) {
  await expect.poll(() => page.getByRole('alert').textContent()).toBe(t.errors.codes.invalid_reset_link)
  await page.getByText('saleproof account reset-link').waitFor()
}

describe.each(tested)('in %s', (language) => {
  const owner = forgetful[language]

  test('a person who forgot the password sets a new one by keyboard', async () => {
    const visitor = await app.visit({ language })
    const { page, go, t, errors } = visitor
    await go('')
    await page.getByLabel(t.signIn.login).waitFor()
    await page.getByText(t.signIn.forgotPassword).focus()
    await page.keyboard.press('Enter')
    await page.getByText(t.signIn.forgotPasswordText).waitFor()
    await page.getByText('saleproof account reset-link').waitFor()

    const link = await app.resetLink(owner)
    await page.goto(link)
    await heading(page, t.reset.title).waitFor()
    await page.getByText(t.reset.subtitle(owner)).waitFor()
    expect(await newPassword(visitor).getAttribute('autocomplete')).toBe('new-password')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.name')).toBe('new-password')
    await page.keyboard.type('short')
    await page.keyboard.press('Enter')
    await page.getByText(t.errors.fields.password).waitFor()
    await newPassword(visitor).fill('')
    await newPassword(visitor).focus()
    await page.keyboard.type('remembered from now on')
    await page.keyboard.press('Enter')
    // Signed in: an owner without a workspace creates one.
    await heading(page, t.settings.newWorkspace.firstTitle).waitFor()
    expect(new URL(page.url()).hash).toBe('')
    await page.reload()
    await heading(page, t.settings.newWorkspace.firstTitle).waitFor()
    expect(sentUrls(visitor).join()).not.toContain(new URL(link).hash.slice(1))

    await page.goto(link)
    await expectInvalid(visitor)
    await page.getByRole('link', { name: t.signIn.title }).click()
    await heading(page, t.settings.newWorkspace.firstTitle).waitFor()
    expect(errors).toEqual([])
  })

  test('a link that never was leads to the sign-in', async () => {
    const visitor = await app.visit({ language })
    const { page, go, t } = visitor
    for (const forged of ['/reset', '/reset#', '/reset#forged']) {
      await go(forged)
      await page.reload()
      await expectInvalid(visitor)
    }
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await heading(page, t.signIn.title).waitFor()
    expect(new URL(page.url()).hash).toBe('')
  })
})

test('another link opens in the same tab, and one that is replaced meanwhile says so', async () => {
  const visitor = await app.visit()
  const { page, t } = visitor
  const first = await app.resetLink('eva')
  await page.goto(first)
  await newPassword(visitor).waitFor()
  const second = await app.resetLink('eva')
  await newPassword(visitor).fill('a password of hers')
  await page.keyboard.press('Enter')
  await expectInvalid(visitor)
  // The same page with another fragment: nothing is loaded.
  await page.goto(second)
  await newPassword(visitor).fill('a password of hers')
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: t.nav.label }).first().waitFor()
})

test('signs in as the account of the link where another was signed in', async () => {
  const visitor = await app.visit()
  const { page, go, signIn, t } = visitor
  await go('')
  await signIn('bob')
  await page.goto(await app.resetLink('ada'))
  await newPassword(visitor).fill('a password of ada')
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: t.nav.label }).first().waitFor()
  await page.getByRole('link', { name: 'Ada Lima' }).first().waitFor()
  expect(await page.getByText(/\bBob\b/).count()).toBe(0)
})
