import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Locale } from '@saleproof/schema'
import { describe, expect, test } from 'vitest'
import { languages } from './languages.ts'
import { codes, keys, passwords } from './records.ts'
import { useTestApp } from './test-app.ts'
import type { Visitor } from './visitor.ts'

const app = useTestApp()
const run = promisify(execFile)

const statusWith = async (key: string) =>
  (await fetch(`${app.url}/api/account/details`, { headers: { authorization: `Bearer ${key}` } })).status

const validate = async (key: string, code: string, userAgent = 'test') => {
  const headers = { authorization: `Bearer ${key}`, 'user-agent': userAgent }
  const body = new URLSearchParams({ purchase_code: code })
  const answer = await fetch(`${app.url}/api/purchases/validation`, { method: 'POST', headers, body })
  return answer.status
}

async function open(language: Locale = 'en') {
  const permissions = ['clipboard-read', 'clipboard-write']
  const visitor = await app.visitAs('ada', { language, permissions })
  await visitor.go('/w/ada-studio/settings/api-access')
  await visitor.page.getByRole('rowheader', { name: /^production/ }).waitFor()
  return visitor
}

async function makeKey({ page, t }: Visitor, name: string): Promise<string> {
  await page.getByRole('button', { name: t.keys.create }).click()
  await page.getByLabel(t.keys.make.name, { exact: true }).fill(name)
  await page.getByRole('button', { name: t.keys.make.submit }).click()
  return (await page.getByTestId('api-key').textContent()) ?? ''
}

describe.each(languages)('in %s', (language) => {
  test('a key that is made in the browser works with curl the next moment, and a revoked one stops', async () => {
    const visitor = await open(language)
    const { page, t, expectClean } = visitor
    const key = await makeKey(visitor, 'shop server')
    const line = (await page.getByRole('region', { name: t.keys.made.tryIt }).textContent()) ?? ''
    const { stdout } = await run('bash', ['-c', `${line} -s`])
    expect(JSON.parse(stdout)).toMatchObject({ status: 'success', data: { username: 'ada' } })

    await page.getByRole('button', { name: t.keys.made.copy }).click()
    await page.getByRole('button', { name: t.actions.copied }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
    await page.getByRole('button', { name: t.keys.made.done }).click()

    await page.getByRole('button', { name: t.keys.revokeNamed('shop server') }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText(t.keys.ask.text).waitFor()
    await dialog.getByRole('button', { name: t.keys.ask.submit }).click()
    await page.getByText(t.keys.ask.done('shop server')).waitFor()
    expect(await statusWith(key)).toBe(401)
    expectClean([key])
  })

  test('a key is not in the page any more once it was closed, and is shown again for the password alone', async () => {
    const visitor = await open(language)
    const { page, t, expectClean } = visitor
    const name = `again in ${language}`
    const key = await makeKey(visitor, name)
    await page.getByRole('button', { name: t.keys.made.done }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(key)

    await page.getByRole('button', { name: t.keys.showNamed(name) }).click()
    await page.getByLabel(t.keys.reveal.password).fill('something else')
    await page.keyboard.press('Enter')
    await page.getByText(t.errors.codes.wrong_password).waitFor()
    expect(await page.content()).not.toContain(key)
    await page.getByLabel(t.keys.reveal.password).fill(passwords.ada)
    await page.keyboard.press('Enter')
    expect(await page.getByTestId('api-key').textContent()).toBe(key)
    expectClean([key, passwords.ada])
  })

  test('what used a key last is told, once more before it is revoked; those that no longer work are kept apart', async () => {
    await fetch(`${app.url}/api/items/all`, {
      headers: {
        authorization: `Bearer ${keys[language]}`,
        'user-agent': 'WordPress/6.8; https://example.com',
      },
    })
    const { page, t } = await open(language)
    const row = page.getByRole('row', { name: new RegExp(`^server ${language}`) })
    const { operations, usedFor } = t.keys
    await row.getByText(usedFor(operations.listItems, 'WordPress/6.8')).waitFor()
    // The next second: what is used all the time is looked at once in a while.
    await page.waitForTimeout(1100)
    expect(await validate(keys[language], codes.active, 'curl/8.5.0')).toBe(200)
    // Asked again as it is about to be revoked.
    await row.getByRole('button', { name: t.keys.revokeNamed(`server ${language}`) }).click()
    const lastUse = usedFor(operations.validatePurchase, 'curl/8.5.0')
    await page.getByRole('alertdialog').getByText(t.keys.ask.lastUsed(t.time.justNow, lastUse)).waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: t.keys.ask.submit }).click()
    await page.getByText(t.keys.ask.done(`server ${language}`)).waitFor()

    expect(await page.getByText('old server').isVisible()).toBe(false)
    await page.locator('details', { hasText: 'old server' }).locator('summary').click()
    for (const name of [/^old server/, new RegExp(`^server ${language}`)])
      await page.getByRole('row', { name }).getByText(t.keys.states.revoked).waitFor()
  })
})

test('a key can be publishable and for one item', async () => {
  const { page, t, expectClean } = await open()
  await page.getByRole('button', { name: t.keys.create }).click()
  await page.getByLabel(t.keys.make.name, { exact: true }).fill('plugin')
  await page.getByText(t.keys.make.kindTexts.publishable).click()
  await page.getByRole('searchbox').fill('harbour')
  await page.getByRole('checkbox', { name: /Harbour icons/ }).check()
  await page.getByRole('button', { name: t.keys.make.submit }).click()
  const key = (await page.getByTestId('api-key').textContent()) ?? ''
  expect([await validate(key, codes.active), await validate(key, 'MANY-0001-QRST-UVWX')]).toEqual([200, 404])
  expect(await statusWith(key)).toBe(403)
  expectClean([key])
})

test('a key can end on a day that is chosen', async () => {
  const { page, t, format } = await open('pt')
  const { make } = t.keys
  await page.getByRole('button', { name: t.keys.create }).click()
  await page.getByLabel(make.name, { exact: true }).fill('for a while')
  await page.getByLabel(make.expires).selectOption(make.expiry.day)
  await page.getByLabel(make.day).fill('2020-01-01')
  await page.getByRole('button', { name: make.submit }).click()
  await page.getByText(t.errors.fields.past!).waitFor()
  await page.getByLabel(make.day).fill('2031-12-24')
  await page.getByRole('button', { name: make.submit }).click()
  await page.getByRole('button', { name: t.keys.made.done }).click()
  await page
    .getByRole('row', { name: /for a while/ })
    .getByText(format.date('2031-12-24T12:00:00Z'))
    .waitFor()
})

test('the programs for curl and for JavaScript prove a sale as they stand', async () => {
  const { page } = await open()
  const programOf = async (name: string) => (await page.getByRole('region', { name }).textContent()) ?? ''
  const env = { PATH: process.env.PATH ?? '', SALEPROOF_API_KEY: keys.production, CODE: codes.active }
  const asked = await run('bash', ['-c', await programOf('curl')], { env })
  expect(JSON.parse(asked.stdout)).toMatchObject({ data: { purchase: { purchase_code: codes.active } } })

  await page.getByRole('radio', { name: 'JavaScript' }).click()
  // Where packages of the workspace are found.
  const folder = await mkdtemp(join(import.meta.dirname, '.program-'))
  try {
    await writeFile(join(folder, 'program.ts'), await programOf('JavaScript'))
    const args = ['--conditions=@saleproof/source', join(folder, 'program.ts')]
    const { stdout } = await run(process.execPath, args, { env })
    expect(stdout).toBe('Harbour icons\n')
  } finally {
    await rm(folder, { recursive: true })
  }
})
