import { expect, test } from 'vitest'
import { tested } from './languages.ts'
import { codes } from './records.ts'
import { useTestApp } from './test-app.ts'
import { heading } from './visitor.ts'

const app = useTestApp()

test('edits of the profile survive leaving the page, by keyboard, until they are discarded or saved', async () => {
  const { page, go, t, expectClean } = await app.visitAs('ada')
  const texts = t.settings.account
  const field = page.getByLabel(texts.heading)
  const unsaved = page.getByText(t.actions.unsaved)
  const openAccount = async () => {
    await page.goForward()
    await heading(page, t.nav.account).waitFor()
  }
  await go('/w/ada-studio')
  await heading(page, t.nav.overview).waitFor()
  await page.locator('a[href$="/account"]').first().press('Enter')
  await heading(page, t.nav.account).waitFor()
  const original = await field.inputValue()
  expect(await unsaved.count()).toBe(0)
  await field.fill('Half a sentence')
  await unsaved.waitFor()
  await page.goBack()
  await heading(page, t.nav.overview).waitFor()
  await openAccount()
  expect(await field.inputValue()).toBe('Half a sentence')

  await page.getByRole('button', { name: t.actions.discard }).press('Enter')
  expect(await field.inputValue()).toBe(original)
  await page.goBack()
  await openAccount()
  expect(await field.inputValue()).toBe(original)

  await field.fill('A whole sentence')
  await page.getByRole('button', { name: t.actions.save }).first().press('Enter')
  await page.getByText(t.actions.saved).waitFor()
  expect(await unsaved.count()).toBe(0)
  expectClean()
})

test('closing the tab asks first while a form has edits', async () => {
  const { page, go, t } = await app.visitAs('ada')
  await go('/w/ada-studio/new-item')
  await page.getByLabel(t.items.fields.name).fill('An item')
  const asked = page.waitForEvent('dialog')
  const closed = page.close({ runBeforeUnload: true })
  expect((await asked).type()).toBe('beforeunload')
  await (await asked).accept()
  await closed
})

test.each(tested)(
  'offline a page says so and goes on by itself, and a draft survives a reload (%s)',
  async (language) => {
    const { page, context, go, t } = await app.visitAs('ada', { language })
    const { heading: label } = t.settings.account
    const title = t.nav.account
    const field = page.getByLabel(label)
    const offline = page.getByText(t.states.offline)
    const openAccount = async () => {
      await page.locator('a[href$="/account"]').first().click()
      await heading(page, title).waitFor()
    }
    page.on('dialog', (dialog) => void dialog.accept())
    await go('/w/ada-studio')
    await heading(page, t.nav.overview).waitFor()
    await openAccount()
    await field.fill('Half a sentence')

    await context.setOffline(true)
    await offline.waitFor()
    // The code of this page is not loaded yet.
    await page.getByRole('link', { name: t.nav.purchases }).first().click()
    await page.waitForURL(/purchases/)
    await offline.waitFor()
    expect(await page.getByText(t.states.crashed).count()).toBe(0)
    await context.setOffline(false)
    await heading(page, t.nav.purchases).waitFor()
    expect(await offline.count()).toBe(0)

    await openAccount()
    expect(await field.inputValue()).toBe('Half a sentence')
    await page.reload()
    await heading(page, title).waitFor()
    expect(await field.inputValue()).toBe('Half a sentence')
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    await page.getByRole('button', { name: t.actions.discard }).click()
    await page.reload()
    await heading(page, title).waitFor()
    expect(await field.inputValue()).not.toBe('Half a sentence')

    // The connection is lost while the session loads. Not before the program has come, which listens.
    await page.route('**/console/api/session', (route) => route.abort())
    await page.reload()
    await expect
      .poll(async () => {
        await page.evaluate('dispatchEvent(new Event("offline"))')
        return offline.count()
      })
      .toBe(1)
    await page.unrouteAll()
    await page.evaluate('dispatchEvent(new Event("online"))')
    await heading(page, title).waitFor()
  },
)

test('going back finds the pasted code and its result', async () => {
  const { page, go, t, expectClean } = await app.visitAs('ada')
  const pasted = `Hello, my code is ${codes.refunded}.`
  await go('/w/ada-studio/check')
  await page.getByLabel(t.purchases.fields.purchase_code).fill(pasted)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: t.check.openPurchase }).press('Enter')
  await heading(page, t.nav.purchases).waitFor()
  await page.goBack()
  await heading(page, t.nav.check).waitFor()
  expect(await page.getByLabel(t.purchases.fields.purchase_code).inputValue()).toBe(pasted)
  await page.getByRole('button', { name: t.check.openPurchase }).waitFor()
  expectClean([codes.refunded])
})

test('what was typed before the session ended is there after signing in, for the same user alone', async () => {
  const { page, context, go, t, signIn } = await app.visit()
  const { heading: label } = t.settings.account
  const title = t.nav.account
  const field = page.getByLabel(label)
  const endSession = async () => {
    await field.fill('Half a sentence')
    await context.clearCookies()
    await page.getByRole('button', { name: t.actions.save }).first().click()
    await page.getByText(t.signIn.expired).waitFor()
  }
  await go('/account')
  await signIn('ada')
  await heading(page, title).waitFor()
  await endSession()
  await signIn('ada')
  await heading(page, title).waitFor()
  expect(await field.inputValue()).toBe('Half a sentence')
  await endSession()
  await signIn('bob')
  await heading(page, title).waitFor()
  expect(await field.inputValue()).not.toBe('Half a sentence')
})

test('a sale that is being recorded when the session ends is there after signing in', async () => {
  const { page, context, go, t, signIn } = await app.visit()
  await go('/w/ada-studio/purchases')
  await signIn('ada')
  await page.getByRole('button', { name: 'Record a sale' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio').first().click()
  const name = dialog.getByLabel(t.purchases.fields.customer_name, { exact: true })
  await name.fill('Zoë Half')
  const code = await dialog.getByLabel(t.purchases.fields.purchase_code).inputValue()
  await context.clearCookies()
  await dialog.getByRole('button', { name: 'Record the sale' }).click()
  await page.getByText(t.signIn.expired).waitFor()
  await signIn('ada')
  await dialog.waitFor()
  expect([
    await name.inputValue(),
    await dialog.getByLabel(t.purchases.fields.purchase_code).inputValue(),
  ]).toEqual(['Zoë Half', code])
  await dialog.getByRole('button', { name: t.actions.close }).click()
  await page.reload()
  await page.locator('[role=rowheader]').first().waitFor()
  expect(await dialog.count()).toBe(0)
})

test('a key and an item that are being made when the session ends are there after signing in', async () => {
  const { page, context, go, t, signIn } = await app.visit()
  await go('/w/ada-studio/settings/api-access')
  await signIn('ada')
  await page.getByRole('button', { name: t.keys.newKey }).click()
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel(t.keys.form.name, { exact: true })
  await name.fill('Half a key')
  await context.clearCookies()
  await dialog.getByRole('button', { name: t.keys.form.submit }).click()
  await page.getByText(t.signIn.expired).waitFor()
  await signIn('ada')
  expect(await name.inputValue()).toBe('Half a key')
  await dialog.getByRole('button', { name: t.actions.cancel }).click()
  await page.reload()
  await heading(page, t.nav.apiAccess).waitFor()
  expect(await dialog.count()).toBe(0)

  await go('/w/ada-studio/items/110/edit')
  const version = page.getByLabel(t.items.fields.version, { exact: true })
  await version.fill('9.9.9')
  await context.clearCookies()
  await page.getByRole('button', { name: t.actions.save }).click()
  await page.getByText(t.signIn.expired).waitFor()
  // A reload keeps it too, and the next one.
  await page.reload()
  await page.reload()
  await signIn('ada')
  expect(await version.inputValue()).toBe('9.9.9')
})

test('a sale that is being edited when the session ends is there after signing in', async () => {
  const { page, context, go, t, signIn } = await app.visit()
  const edit = page.getByRole('dialog', { name: 'Edit the purchase' })
  const note = edit.getByLabel(t.purchases.fields.note, { exact: true })
  const open = async () => {
    await page.locator('[role=rowheader]').first().getByRole('button').click()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await edit.waitFor()
  }
  await go('/w/ada-studio/purchases')
  await signIn('ada')
  await open()
  await note.fill('Half a note')
  await context.clearCookies()
  await edit.getByRole('button', { name: t.actions.save }).click()
  await page.getByText(t.signIn.expired).waitFor()
  await signIn('ada')
  await open()
  expect(await note.inputValue()).toBe('Half a note')
  await edit.getByRole('button', { name: t.actions.save }).click()
  await page.getByText('The purchase was changed.').waitFor()
  await page.getByText('Half a note', { exact: true }).waitFor()
})
