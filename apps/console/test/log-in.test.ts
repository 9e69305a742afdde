import { describe, expect, test } from 'vitest'
import { passwords } from './records.ts'
import { useService } from './setting.ts'
import { heading } from './visitor.ts'

const setting = useService()

describe('logging in', () => {
  test.each(['ada', 'ada@example.com', '  ada  '])('as "%s" leads to the workspace', async (login) => {
    const { page, go, expectClean } = await setting.visit()
    await go('')
    await page.getByLabel('E-mail or user name').fill(login)
    await page.getByLabel('Password', { exact: true }).fill(passwords.ada)
    await page.getByRole('button', { name: 'Log in' }).click()
    await heading(page, 'Overview').waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/w/ada-sons')
    expectClean([passwords.ada])
  })

  test.each([
    ['ada', 'not the password'],
    ['nobody', passwords.ada],
  ])('is refused in the same words to %s', async (login, password) => {
    const { page, go, expectClean } = await setting.visit()
    await go('')
    await page.getByLabel('E-mail or user name').fill(login)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    expect(await page.getByRole('alert').textContent()).toBe(
      'That name and that password do not belong together.',
    )
    // The password is there to be typed again.
    expect(await page.evaluate('document.activeElement.name')).toBe('password')
    expectClean()
  })

  test('asks for what was left out, without asking the service', async () => {
    const { page, go, addresses } = await setting.visit()
    await go('')
    await page.getByRole('button', { name: 'Log in' }).waitFor()
    const before = addresses.length
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('Fill this in.').first().waitFor()
    expect(await page.evaluate('document.activeElement.name')).toBe('login')
    expect(addresses.length).toBe(before)
  })

  test('leads to the page that was asked for', async () => {
    const { page, go, logIn } = await setting.visit()
    await go('/w/ada-studio/settings/api-access')
    await logIn('ada')
    await heading(page, 'API Access').waitFor()
  })
})

describe('a session', () => {
  test('outlives a reload, and not a log-out, after which nothing is seen any more', async () => {
    const { page, go, logIn, context, expectClean } = await setting.visit()
    await go('/w/ada-studio')
    await logIn('ada')
    await page.getByRole('link', { name: 'Items' }).first().click()
    await page.getByText('60 items').waitFor()
    await page.reload()
    await heading(page, 'Items').waitFor()
    await page.getByRole('link', { name: 'Purchases' }).click()
    await heading(page, 'Purchases').waitFor()
    await page.getByRole('button', { name: 'Log out' }).click()
    await heading(page, 'Log in').waitFor()
    expect(await page.getByText('Ada').count()).toBe(0)
    await page.goBack()
    await heading(page, 'Log in').waitFor()
    // All that is left tells that somebody has signed in here before, to those alone who do so again.
    expect((await context.cookies()).filter(({ value }) => value)).toMatchObject([
      { name: 'saleproof_device', path: '/console/api/session', httpOnly: true, sameSite: 'Strict' },
    ])
    expectClean()
  })

  test('that has ended asks to log in again, and goes on where it was', async () => {
    const { page, go, logIn, context, expectClean } = await setting.visit()
    await go('/w/ada-studio')
    await logIn('ada')
    await heading(page, 'Overview').waitFor()
    await context.clearCookies()
    await page.getByRole('link', { name: 'Items' }).first().click()
    await page.getByText('Your session has ended.').waitFor()
    await logIn('ada')
    await heading(page, 'Items').waitFor()
    expectClean()
  })

  test('is no script’s business', async () => {
    const { page, go, logIn } = await setting.visit()
    await go('')
    await logIn('ada')
    expect(await page.evaluate('document.cookie')).toBe('')
  })
})

describe('the language', () => {
  test('is that of the browser', async () => {
    const { page, go } = await setting.visit({ locale: 'pt-BR' })
    await go('')
    await heading(page, 'Entrar').waitFor()
    expect(await page.evaluate('document.documentElement.lang')).toBe('pt')
  })

  test('is switched in place, and remembered', async () => {
    const { page, go } = await setting.visit({ locale: 'de-DE' })
    await go('')
    await page.getByLabel('E-mail or user name').fill('ada')
    await page.getByRole('radio', { name: 'Português' }).click()
    await heading(page, 'Entrar').waitFor()
    expect(await page.getByLabel('E-mail ou nome de usuário').inputValue()).toBe('ada')
    await page.reload()
    await heading(page, 'Entrar').waitFor()
  })
})

describe('the colours', () => {
  const back = 'getComputedStyle(document.documentElement).backgroundColor'

  test.each([
    ['light', 'rgb(250, 248, 243)'],
    ['dark', 'rgb(16, 20, 18)'],
  ] as const)('are those of a system that is %s', async (colorScheme, colour) => {
    const { page, go } = await setting.visit({ colorScheme })
    await go('')
    await heading(page, 'Log in').waitFor()
    expect(await page.evaluate(back)).toBe(colour)
  })

  test('are switched, and known before anything is painted', async () => {
    const { page, go } = await setting.visit({ colorScheme: 'light' })
    await go('')
    await page.getByRole('radio', { name: 'Dark' }).check()
    expect(await page.evaluate(back)).toBe('rgb(16, 20, 18)')
    // As it stands before any module has run.
    await page.route('**/*.js', (route) =>
      /boot/.test(route.request().url()) ? route.continue() : route.abort(),
    )
    await page.reload({ waitUntil: 'commit' })
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  })
})
