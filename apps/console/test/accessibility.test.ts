import { locales } from '@saleproof/schema/constants'
import type { Route } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkVariants } from './axe.ts'
import { failingPages, pages } from './page-list.ts'
import { codes, passwords } from './records.ts'
import { useTestApp } from './test-app.ts'
import { heading, type Visitor } from './visitor.ts'

const app = useTestApp()

beforeAll(async () => {
  const validate = (code: string) => app.validate(code, { userAgent: 'WordPress/6.8; https://example.com' })
  for (let times = 0; times < 9; times++) await validate(codes.active)
  for (const code of [codes.refunded, 'NOTHING-LIKE-THIS']) await validate(code)
  // A session in another browser.
  const signedIn = await fetch(`${app.url}/console/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Firefox/133.0 (Windows)' },
    body: JSON.stringify({ login: 'ada', password: passwords.ada }),
  })
  expect(signedIn.status).toBe(200)
})

const noAnimationRuns = 'document.getAnimations().every(({ playState }) => playState !== "running")'

describe.each(locales)('in %s', (language) => {
  const options = { language, viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' } as const
  let visitor: Visitor

  beforeAll(async () => {
    visitor = await app.visitForAllTests(options)
  })
  beforeEach(() => {
    visitor.errors.length = 0
  })

  test('sign-in', async () => {
    await visitor.go('')
    await heading(visitor.page, visitor.t.signIn.title).waitFor()
    await visitor.waitUntilIdle()
    await checkVariants(visitor, 'sign-in')
    visitor.expectClean()
    await visitor.signIn('ada')
  })

  test('reset', async () => {
    const { page, t, errors } = visitor
    await page.goto(await app.resetLink('bob'))
    await page.getByLabel(t.settings.password.next, { exact: true }).waitFor()
    await visitor.waitUntilIdle()
    await checkVariants(visitor, 'reset')
    await visitor.go('/reset#not-a-token')
    await page.getByRole('alert').waitFor()
    await visitor.waitUntilIdle()
    await checkVariants(visitor, 'reset-invalid')
    expect(errors).toEqual([])
  })

  test.each(pages)('$path', async ({ path, steps }) => {
    const { page, errors } = visitor
    await visitor.go(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    for (const { name, act } of steps) {
      await act?.(page)
      await visitor.waitUntilIdle()
      await checkVariants(visitor, name)
    }
    expect(errors).toEqual([])
  })

  async function checkFailingPage([name, path, endpoint]: (typeof failingPages)[number]) {
    const other = await app.visitAs('ada', options)
    const { page, t } = other
    const held: Route[] = []
    let isHeld = true
    await page.route(`**/console/api/workspaces/ada-studio/${endpoint}`, async (route) => {
      if (isHeld) held.push(route)
      else await route.abort()
    })
    await other.go(path)
    await expect.poll(() => held.length).toBe(1)
    await expect.poll(() => page.evaluate('document.fonts.status')).toBe('loaded')
    await expect.poll(() => page.evaluate(noAnimationRuns)).toBe(true)
    isHeld = false
    await held[0]!.abort()
    const retry = page.getByRole('button', { name: t.actions.retry })
    await retry.waitFor()
    await page.unrouteAll()
    await other.waitUntilIdle()
    await checkVariants(other, `${name}-failed`)
    await retry.click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
  }

  test('pages that load and then fail', async () => {
    await Promise.all(failingPages.map(checkFailingPage))
  })
})
