import { expect, test } from 'vitest'
import { codes } from './records.ts'
import { useTestApp } from './test-app.ts'
import { heading } from './visitor.ts'

const app = useTestApp()

const paths = [
  '',
  '/items',
  '/items/401',
  '/items/401/edit',
  '/new-item',
  '/import',
  '/purchases',
  '/check',
  '/settings/api-access',
  '/settings/workspace',
  '/more',
]

test('the workspace of another owner is not found', async () => {
  const { page, go, t, expectClean } = await app.visitAs('ada')
  for (const path of paths) {
    await go(`/w/bob-works${path}`)
    await page.getByText(t.states.notFound).waitFor()
    expect(await page.getByText(/bob/i).count(), path).toBe(0)
  }
  expectClean()
})

test('two owners who share a browser see their own data only', async () => {
  const { page, go, signIn, expectClean } = await app.visit()
  await go('/w/ada-studio/items')
  await signIn('ada')
  await page.getByText('60 items').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await heading(page, 'Sign in').waitFor()
  await signIn('bob')
  // The URL still names the workspace of the first owner.
  await page.getByText('Page not found').waitFor()
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await page.getByRole('link', { name: 'Items' }).first().click()
  await page.getByText('Bob’s secret item').waitFor()
  expect(await page.getByText('Harbour icons').count()).toBe(0)
  await page.getByRole('link', { name: 'Purchases' }).first().click()
  await page.getByRole('button', { name: codes.bob }).waitFor()
  expectClean([codes.bob])
})
