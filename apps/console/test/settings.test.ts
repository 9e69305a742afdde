import { describe, expect, test } from 'vitest'
import { keys, passwords } from './records.ts'
import { useService } from './setting.ts'
import { heading } from './visitor.ts'

const setting = useService()

const get = async (path: string, key: string) => {
  const answer = await fetch(setting.url + path, { headers: { authorization: `Bearer ${key}` } })
  return (await answer.json()) as { items: { version?: string }[]; data: { name: { full_name: string } } }
}

describe('the workspace', () => {
  test('gets another default shape, and the API follows', async () => {
    const { page, go, logIn, expectClean } = await setting.visit()
    await go('/w/ada-studio/settings/workspace')
    await logIn('ada')
    await page.getByLabel('Shape').selectOption('Extended')
    await page.getByLabel('Name').fill('Ada’s Studio')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved.').waitFor()
    // Where it is named, it has the new name at once.
    await page.getByRole('button', { name: /^Ada’s Studio \(switch/ }).waitFor()
    await expect
      .poll(async () => (await get('/api/items/all', keys.production)).items[0]?.version)
      .toBe('1.4.2')
    await page.getByLabel('Shape').selectOption('As the service: Base')
    expect(await page.getByText('Saved.').count()).toBe(0)
    expectClean()
  })

  test('is switched', async () => {
    const { page, go, logIn } = await setting.visit()
    await go('/w/ada-studio/items')
    await logIn('ada')
    await page.getByRole('button', { name: /switch to another workspace/ }).click()
    await page.getByRole('link', { name: 'Ada Sons' }).click()
    await heading(page, 'Overview').waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/w/ada-sons')
    // The one that was open last is open next time.
    await go('')
    await page.waitForURL(/ada-sons/)
  })

  test('is made: the first one of an owner', async () => {
    const { page, go, logIn, expectClean } = await setting.visit()
    await go('')
    await logIn('cleo')
    await heading(page, 'Make your first workspace').waitFor()
    await page.getByLabel('Name').fill('Ada Studio')
    expect(await page.getByLabel('Address').inputValue()).toBe('ada-studio')
    await page.getByRole('button', { name: 'Make the workspace' }).click()
    await page.getByText('This address is taken already.').waitFor()
    await page.getByLabel('Address').fill('cleo-studio')
    await page.getByRole('button', { name: 'Make the workspace' }).click()
    await page.getByText('Three steps to your first proof of sale').waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/w/cleo-studio')
    await page.getByRole('link', { name: 'Items' }).first().click()
    await page.getByText('No items yet').waitFor()
    await page.getByRole('link', { name: 'Purchases' }).first().click()
    await page.getByText('No purchases yet').waitFor()
    expectClean()
  })
})

describe('the account', () => {
  test('gets another name, and the API follows', async () => {
    const { page, go, logIn, expectClean } = await setting.visit()
    await go('/account')
    await logIn('ada')
    await page.getByLabel('Full name').fill('Ada L. Lima')
    await page.getByRole('button', { name: 'Add a link' }).click()
    await page.getByLabel('Network').last().fill('mastodon')
    await page.getByLabel('Link of mastodon').fill('https://example.com/@ada')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByRole('link', { name: 'Ada L. Lima' }).waitFor()
    const { data } = await get('/api/account/details', keys.production)
    expect(data).toMatchObject({
      name: { full_name: 'Ada L. Lima' },
      profile: { social_links: { x: 'https://example.com/x/ada', mastodon: 'https://example.com/@ada' } },
    })
    expectClean()
  })

  test('says what is wrong where it is wrong', async () => {
    const { page, go, logIn } = await setting.visit()
    await go('/account')
    await logIn('ada')
    await page.getByLabel('Address of the avatar').fill('ftp://example.com/a.png')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('A whole address, which begins with https://').waitFor()
    expect(await page.getByLabel('Address of the avatar').getAttribute('aria-invalid')).toBe('true')
  })

  test('changes its password, which ends the other sessions', async () => {
    const elsewhere = await setting.visit()
    await elsewhere.go('/w/bob-works')
    await elsewhere.logIn('bob')
    const { page, go, logIn, expectClean } = await setting.visit()
    await go('/account')
    await logIn('bob')
    await page.getByLabel('Your password now').fill('not this one')
    await page.getByLabel('New password').fill('a better password')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('That is not your password.').waitFor()
    await page.getByLabel('Your password now').fill(passwords.bob)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('The password is changed.').waitFor()
    await elsewhere.page.getByRole('link', { name: 'Items' }).first().click()
    await elsewhere.page.getByText('Your session has ended.').waitFor()
    await page.reload()
    await heading(page, 'Account').waitFor()
    expectClean(['a better password', passwords.bob])
  })
})
