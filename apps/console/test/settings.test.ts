import type { Locale } from '@saleproof/schema/constants'
import { describe, expect, test } from 'vitest'
import { tested } from './languages.ts'
import { keys, type Owner, passwords } from './records.ts'
import { useTestApp } from './test-app.ts'
import { heading } from './visitor.ts'

const app = useTestApp()

const get = async (path: string, key: string) => {
  const response = await fetch(app.url + path, { headers: { authorization: `Bearer ${key}` } })
  return {
    language: response.headers.get('content-language'),
    ...((await response.json()) as { items: { version?: string }[]; data: object }),
  }
}

/** One owner per language for each test that works once only. */
const owners = {
  en: { withoutWorkspace: 'cleo', withOldPassword: 'bob' },
  pt: { withoutWorkspace: 'dina', withOldPassword: 'eva' },
} as const satisfies Record<Locale, Record<string, Owner>>

describe.each(tested)('in %s', (language) => {
  const { withoutWorkspace, withOldPassword } = owners[language]
  const other = language === 'en' ? 'pt' : 'en'

  test('changes the default shape and language of the workspace, and the API follows', async () => {
    const { page, go, t, expectClean } = await app.visitAs('ada', { language })
    const texts = t.settings.workspace
    const shape = page.getByLabel(texts.shape)
    const messageLanguage = page.getByLabel(texts.language)
    const name = `Ada’s Studio ${language}`
    await go('/w/ada-studio/settings/workspace')
    await shape.selectOption(texts.shapes.extended)
    await messageLanguage.selectOption(texts.languages[other])
    await page.getByLabel(texts.name).fill(name)
    await page.getByRole('button', { name: t.actions.save }).click()
    await page.getByText(t.actions.saved).waitFor()
    // The navigation shows the new name.
    await page.getByRole('button', { name: `${name} (${t.nav.switchWorkspace})` }).waitFor()
    const apiDefaults = async () => {
      const { items, language } = await get('/api/items/all', keys.production)
      return [items[0]?.version, language]
    }
    await expect.poll(apiDefaults).toEqual(['1.4.2', other])

    await shape.selectOption(texts.serviceDefault(texts.shapes.base))
    expect(await page.getByText(t.actions.saved).count()).toBe(0)
    await messageLanguage.selectOption(texts.serviceDefault(texts.languages.en))
    await page.getByRole('button', { name: t.actions.save }).click()
    await page.getByText(t.actions.saved).waitFor()
    await expect.poll(apiDefaults).toEqual([undefined, 'en'])
    expectClean()
  })

  test('rotates and retires signing keys, and sets how long a pass is believed', async () => {
    const { page, go, t, expectClean } = await app.visitAs('ada', { language })
    const texts = t.settings.passes
    await go('/w/ada-studio/settings/passes')
    const keys = page.getByRole('rowheader')
    await keys.first().waitFor()
    const before = await keys.count()
    await page.getByRole('button', { name: texts.rotate }).click()
    await expect.poll(() => keys.count()).toBe(before + 1)
    const publicKey = (await keys.first().locator('code').textContent()) ?? ''
    const snippet = () => page.getByRole('region', { name: 'JavaScript' }).textContent()
    expect(await snippet()).toContain(`publicKeys: ['${publicKey}'`)
    await page
      .getByRole('button', { name: texts.retireTitle('') })
      .first()
      .click()
    await page.getByRole('alertdialog').getByRole('button', { name: texts.retire, exact: true }).click()
    await expect.poll(snippet).not.toContain(publicKey)
    const life = page.getByLabel(texts.lifeLabel)
    await life.selectOption(texts.hours(language === 'en' ? 72 : 24))
    await page.getByRole('button', { name: t.actions.save }).click()
    await page.getByText(t.actions.saved).waitFor()
    await page.reload()
    await expect.poll(() => life.inputValue()).toBe(language === 'en' ? '72' : '24')
    expectClean()
  })

  test('switches the workspace', async () => {
    const { page, go, t } = await app.visitAs('ada', { language })
    await go('/w/ada-studio/items')
    await page.getByRole('button', { name: t.nav.switchWorkspace }).click()
    await page.getByRole('link', { name: 'Ada Sons' }).click()
    await heading(page, t.nav.overview).waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/w/ada-sons')
    // The last workspace opens next time.
    await go('')
    await page.waitForURL(/ada-sons/)
  })

  test('creates the first workspace of an owner', async () => {
    const { page, go, t, expectClean } = await app.visitAs(withoutWorkspace, { language })
    const { newWorkspace } = t.settings
    await go('')
    await heading(page, newWorkspace.firstTitle).waitFor()
    await page.getByLabel(t.settings.workspace.name).fill('Ada Studio')
    expect(await page.getByLabel(t.settings.workspace.slug).inputValue()).toBe('ada-studio')
    await page.getByRole('button', { name: newWorkspace.submit }).click()
    await page.getByText(t.errors.fields.slug_taken).waitFor()
    const slug = `${withoutWorkspace}-studio`
    await page.getByLabel(t.settings.workspace.slug).fill(slug)
    await page.getByRole('button', { name: newWorkspace.submit }).click()
    await page.getByText(t.gettingStarted.title).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console/w/${slug}`)
    await page.getByRole('link', { name: t.nav.items }).first().click()
    await page.getByText(t.items.none).waitFor()
    await page.getByRole('link', { name: t.nav.purchases }).first().click()
    await page.getByText(t.purchases.none).waitFor()
    expectClean()
  })

  test('shows field errors, changes the profile, and the API follows', async () => {
    const { page, go, t, expectClean } = await app.visitAs('ada', { language })
    const texts = t.settings.account
    const name = `Ada ${language} Lima`
    const link = `https://example.com/${language}/@ada`
    await go('/account')
    await page.getByLabel(texts.avatar).fill('ftp://example.com/a.png')
    await page.getByRole('button', { name: t.actions.save }).click()
    await page.getByText(t.errors.fields.link).waitFor()
    expect(await page.getByLabel(texts.avatar).getAttribute('aria-invalid')).toBe('true')

    await page.getByLabel(texts.avatar).fill('')
    await page.getByLabel(texts.fullName).fill(name)
    await page.getByRole('button', { name: texts.addLink }).click()
    await page.getByLabel(texts.network).last().fill(`mastodon-${language}`)
    await page.getByLabel(texts.linkLabel(`mastodon-${language}`)).fill(link)
    await page.getByRole('button', { name: t.actions.save }).click()
    await page.getByText(t.actions.saved).waitFor()
    await page.getByRole('link', { name }).waitFor()
    const { data } = await get('/api/account/details', keys.production)
    expect(data).toMatchObject({
      name: { full_name: name },
      profile: { social_links: { x: 'https://example.com/x/ada', [`mastodon-${language}`]: link } },
    })
    expectClean()
  })

  test('ends the sessions in other browsers by keyboard, one and then all', async () => {
    const [first, ...others] = [
      await app.visit({ language }),
      await app.visit({ language }),
      await app.visit({ language }),
    ] as const
    const { page, go, t, signIn, expectClean } = await app.visit({ language })
    const texts = t.settings.sessions
    for (const other of [first, ...others]) {
      await other.go('/account')
      await other.signIn(withOldPassword)
    }
    await go('/account')
    await signIn(withOldPassword)
    const end = page.getByRole('button', { name: new RegExp(`^${texts.endNamed('.*', '.*')}$`) })
    await page.getByText(texts.current, { exact: true }).waitFor()
    expect(await end.count()).toBe(3)
    await end.first().focus()
    await page.keyboard.press('Enter')
    const confirmation = page.getByRole('alertdialog', { name: texts.confirm.title })
    await confirmation.waitFor()
    await page.keyboard.press('Escape')
    await confirmation.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(texts.end)
    await page.keyboard.press('Enter')
    await confirmation.getByText(texts.on('Chrome', 'Linux')).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText(texts.done, { exact: true }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(texts.done)
    await expect.poll(() => end.count()).toBe(2)

    await page.getByRole('button', { name: texts.endOthers }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('alertdialog', { name: texts.confirm.titleOthers }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText(texts.doneOthers).waitFor()
    await expect.poll(() => end.count()).toBe(0)
    for (const { page, t } of [first, ...others]) {
      await page.reload()
      await heading(page, t.signIn.title).waitFor()
    }
    await page.reload()
    await heading(page, t.nav.account).waitFor()
    expectClean()
  })

  test('changing the password ends the other sessions', async () => {
    const elsewhere = await app.visit({ language })
    await elsewhere.go('')
    await elsewhere.signIn(withOldPassword)
    const { page, go, t, signIn, expectClean } = await app.visit({ language })
    const texts = t.settings.password
    await go('/account')
    await signIn(withOldPassword)
    await page.getByLabel(texts.current).fill('not this one')
    await page.getByLabel(texts.next).fill('a better password')
    await page.getByRole('button', { name: texts.submit }).click()
    await page.getByText(t.errors.codes.wrong_password).waitFor()
    await page.getByLabel(texts.current).fill(passwords[withOldPassword])
    await page.getByRole('button', { name: texts.submit }).click()
    await page.getByText(texts.done).waitFor()
    await elsewhere.page.getByRole('link', { name: t.nav.items }).first().click()
    await elsewhere.page.getByText(t.signIn.expired).waitFor()
    await page.reload()
    await heading(page, t.nav.account).waitFor()
    expectClean(['a better password', passwords[withOldPassword]])
  })
})
