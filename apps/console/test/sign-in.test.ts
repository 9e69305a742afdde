import { describe, expect, test } from 'vitest'
import { tested } from './languages.ts'
import { passwords } from './records.ts'
import { useTestApp } from './test-app.ts'
import { heading } from './visitor.ts'

const app = useTestApp()

describe.each(tested)('in %s', (language) => {
  test('signs in after a wrong password, shows the version, and leaves nothing visible after signing out', async () => {
    const { page, go, t, urls, context, expectClean } = await app.visit({ language })
    await go('')
    const submit = page.getByRole('button', { name: t.signIn.title, exact: true })
    await submit.waitFor()
    const before = urls.length
    // Spaces are no name.
    await page.getByLabel(t.signIn.login).fill('   ')
    await submit.click()
    await page.getByText(t.errors.fields.required).first().waitFor()
    expect(await page.evaluate('document.activeElement.name')).toBe('login')
    // No request was sent.
    expect(urls.length).toBe(before)

    await page.getByLabel(t.signIn.login).fill('ada')
    await page.getByLabel(t.signIn.password, { exact: true }).fill('not the password')
    await page.keyboard.press('Enter')
    expect(await page.getByRole('alert').textContent()).toBe(t.errors.codes.wrong_credentials)
    // The password is selected to be typed again.
    expect(await page.evaluate('document.activeElement.name')).toBe('password')

    await page.keyboard.type(passwords.ada)
    await submit.click()
    await heading(page, t.nav.overview).waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/w/ada-sons')
    // Scripts cannot read the session cookie.
    expect(await page.evaluate('document.cookie')).toBe('')

    await page.reload()
    await heading(page, t.nav.overview).waitFor()
    const { stdout: version } = await app.service.run(['--version'])
    await page.getByText(`Saleproof ${version.trim()}`, { exact: true }).waitFor()
    await page.getByRole('link', { name: t.nav.purchases }).click()
    await heading(page, t.nav.purchases).waitFor()
    await page.getByRole('button', { name: t.actions.signOut }).click()
    await heading(page, t.signIn.title).waitFor()
    expect(await page.getByText(/\bAda\b/).count()).toBe(0)
    await page.goBack()
    await heading(page, t.signIn.title).waitFor()
    // Only the device cookie is left.
    expect((await context.cookies()).filter(({ value }) => value)).toMatchObject([
      { name: 'saleproof_device', path: '/console/api/session', httpOnly: true, sameSite: 'Strict' },
    ])
    expectClean([passwords.ada])
  })

  test('an expired session asks to sign in, and returns to the page', async () => {
    const { page, go, t, signIn, context, expectClean } = await app.visitAs('ada', { language })
    // The overview would ask by itself: it refreshes its counts.
    await go('/w/ada-studio/purchases')
    await heading(page, t.nav.purchases).waitFor()
    await context.clearCookies()
    await page.getByRole('link', { name: t.nav.items }).first().click()
    await page.getByText(t.signIn.expired).waitFor()
    await signIn('ada')
    await heading(page, t.nav.items).waitFor()
    expectClean()
  })
})

describe('signing in', () => {
  test.each(['ada@example.com', '  ada  '])('as "%s" opens the requested page', async (login) => {
    const { page, go, t, expectClean } = await app.visit()
    await go('/w/ada-studio/settings/api-access')
    await page.getByLabel(t.signIn.login).fill(login)
    await page.getByLabel(t.signIn.password, { exact: true }).fill(passwords.ada)
    await page.getByRole('button', { name: t.signIn.title, exact: true }).click()
    await heading(page, t.nav.apiAccess).waitFor()
    expectClean([passwords.ada])
  })

  test('fails for an unknown account with the same message as for a wrong password', async () => {
    const { page, go, t, expectClean } = await app.visit()
    await go('')
    await page.getByLabel(t.signIn.login).fill('nobody')
    await page.getByLabel(t.signIn.password, { exact: true }).fill(passwords.ada)
    await page.keyboard.press('Enter')
    expect(await page.getByRole('alert').textContent()).toBe(t.errors.codes.wrong_credentials)
    expectClean()
  })
})

describe('the language', () => {
  test('is that of the browser', async () => {
    const { page, go } = await app.visit({ language: 'pt' })
    await go('')
    await heading(page, 'Entrar').waitFor()
    expect(await page.evaluate('document.documentElement.lang')).toBe('pt')
  })

  test('can be switched, and is remembered', async () => {
    const { page, go } = await app.visit({ locale: 'de-DE' })
    await go('')
    await page.getByLabel('Email or username').fill('ada')
    await page.getByRole('radio', { name: 'Português' }).click()
    await heading(page, 'Entrar').waitFor()
    expect(await page.getByLabel('E-mail ou nome de usuário').inputValue()).toBe('ada')
    await page.reload()
    await heading(page, 'Entrar').waitFor()
  })
})

describe('the theme', () => {
  const background = 'getComputedStyle(document.documentElement).backgroundColor'

  test.each([
    ['light', 'rgb(250, 248, 243)'],
    ['dark', 'rgb(16, 20, 18)'],
  ] as const)('follows a %s system', async (colorScheme, color) => {
    const { page, go, t } = await app.visit({ colorScheme })
    await go('')
    await heading(page, t.signIn.title).waitFor()
    expect(await page.evaluate(background)).toBe(color)
  })

  test('can be switched, and applies before the first paint', async () => {
    const { page, go, t } = await app.visit({ colorScheme: 'light' })
    await go('')
    await page.getByRole('radio', { name: t.appearance.themes.dark }).check()
    expect(await page.evaluate(background)).toBe('rgb(16, 20, 18)')
    // The page is all that comes.
    await page.route('**/assets/**', (route) => route.abort())
    await page.reload()
    expect(await page.evaluate(background)).toBe('rgb(16, 20, 18)')
  })
})
