import { expect, test } from 'vitest'
import { useTestApp } from './test-app.ts'
import { heading } from './visitor.ts'

const app = useTestApp()

const file = (name: string) => new RegExp(`/assets/${name}-[^/]+\\.js$`)

test('loaded pages and dialogs appear without a timer', async () => {
  const { page, go, t } = await app.visitAs('ada')
  await page.clock.install()
  await go('/w/ada-studio')
  await heading(page, t.nav.overview).waitFor()
  // From here on no timer fires.
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await page.getByRole('link', { name: t.nav.apiAccess, exact: true }).click()
  await heading(page, t.nav.apiAccess).waitFor()
  await page.getByRole('button', { name: t.keys.newKey }).first().click()
  await page.getByRole('dialog').waitFor()
})

test('hovering or focusing a link preloads its page', async () => {
  const { page, go, t, urls, waitUntilIdle } = await app.visitAs('ada')
  await go('/w/ada-studio/items')
  await page.getByText(t.items.count(60)).waitFor()
  await waitUntilIdle()
  const purchases = file('purchases-page')
  const check = file('check-page')
  const isLoaded = (wanted: RegExp) => urls.some((url) => wanted.test(url))
  expect([isLoaded(purchases), isLoaded(check)]).toEqual([false, false])
  await page.getByRole('link', { name: t.nav.purchases }).hover()
  await expect.poll(() => isLoaded(purchases)).toBe(true)
  await page.getByRole('link', { name: t.nav.check }).focus()
  await expect.poll(() => isLoaded(check)).toBe(true)
})

test('a page that fails to load shows an error, and works after a reload', async () => {
  const { page, go, t } = await app.visitAs('ada', { language: 'pt' })
  await go('/w/ada-studio/items')
  await page.getByText(t.items.count(60)).waitFor()
  await page.route(file('purchases-page'), (route) => route.abort())
  await page.getByRole('link', { name: t.nav.purchases }).click()
  await page.getByText(t.states.crashed).waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: t.actions.reload }).click()
  await heading(page, t.nav.purchases).waitFor()
})
