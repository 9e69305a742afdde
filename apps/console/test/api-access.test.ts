import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { codes, keys, passwords } from './records.ts'
import { useService } from './setting.ts'

const setting = useService()
const run = promisify(execFile)

const statusWith = async (key: string) =>
  (await fetch(`${setting.url}/api/account/details`, { headers: { authorization: `Bearer ${key}` } })).status

async function open() {
  const visitor = await setting.visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  await visitor.go('/w/ada-studio/settings/api-access')
  await visitor.logIn('ada')
  await visitor.page.getByRole('rowheader', { name: /^production/ }).waitFor()
  return visitor
}

async function makeKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Generate key' }).click()
  return (await page.getByTestId('api-key').textContent()) ?? ''
}

describe('a key that is made in the browser', () => {
  test('works with curl the next moment, and a revoked one stops', async () => {
    const { page, expectClean } = await open()
    const key = await makeKey(page, 'shop server')
    const line = (await page.getByRole('region', { name: 'Try it in a terminal:' }).textContent()) ?? ''
    const { stdout } = await run('bash', ['-c', `${line} -s`])
    expect(JSON.parse(stdout)).toMatchObject({ status: 'success', data: { username: 'ada' } })

    await page.getByRole('button', { name: 'Copy the key' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
    await page.getByRole('button', { name: 'Done' }).click()

    await page.getByRole('button', { name: 'Revoke the key shop server' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Revoke the key' }).click()
    await page.getByText('The key shop server is revoked.').waitFor()
    expect(await statusWith(key)).toBe(401)
    expectClean([key])
  })

  test('is not in the page any more once it was closed, and is shown again for the password alone', async () => {
    const { page, expectClean } = await open()
    const key = await makeKey(page, 'again')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(key)

    await page.getByRole('button', { name: 'Show the key again' }).click()
    await page.getByLabel('Your password').fill('something else')
    await page.keyboard.press('Enter')
    await page.getByText('That is not your password.').waitFor()
    expect(await page.content()).not.toContain(key)
    await page.getByLabel('Your password').fill(passwords.ada)
    await page.keyboard.press('Enter')
    expect(await page.getByTestId('api-key').textContent()).toBe(key)
    expectClean([key, passwords.ada])
  })

  test('can be publishable and for one item', async () => {
    const { page, expectClean } = await open()
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name', { exact: true }).fill('plugin')
    await page.getByText('Only validate codes.').click()
    await page.getByRole('searchbox').fill('harbour')
    await page.getByRole('checkbox', { name: /Harbour icons/ }).check()
    await page.getByRole('button', { name: 'Generate key' }).click()
    const key = (await page.getByTestId('api-key').textContent()) ?? ''
    const validate = async (code: string) => {
      const body = new URLSearchParams({ purchase_code: code })
      const headers = { authorization: `Bearer ${key}` }
      const answer = await fetch(`${setting.url}/api/purchases/validation`, { method: 'POST', headers, body })
      return answer.status
    }
    expect([await validate(codes.active), await validate('MANY-0001-QRST-UVWX')]).toEqual([200, 404])
    expect(await statusWith(key)).toBe(403)
    expectClean([key])
  })

  test('can end on a day that is chosen', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name', { exact: true }).fill('for a while')
    await page.getByLabel('Expires').selectOption('On a day that I choose')
    await page.getByLabel('Last day').fill('2020-01-01')
    await page.getByRole('button', { name: 'Generate key' }).click()
    await page.getByText('Choose a day in the future.').waitFor()
    await page.getByLabel('Last day').fill('2031-12-24')
    await page.getByRole('button', { name: 'Generate key' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page
      .getByRole('row', { name: /for a while/ })
      .getByText('Dec 24, 2031')
      .waitFor()
  })
})

test('keys that no longer work are kept apart', async () => {
  const { page } = await open()
  expect(await page.getByText('old server').isVisible()).toBe(false)
  await page.getByText(/Keys that no longer work/).click()
  await page
    .getByRole('row', { name: /old server/ })
    .getByText('Revoked')
    .waitFor()
})

test('what used a key last is told', async () => {
  await fetch(`${setting.url}/api/items/all`, {
    headers: {
      authorization: `Bearer ${keys.production}`,
      'user-agent': 'WordPress/6.8; https://example.com',
    },
  })
  const { page } = await open()
  const row = page.getByRole('row', { name: /^production/ })
  await row.getByText('list of items, by WordPress/6.8').waitFor()
  // The next second: what is used all the time is looked at once in a while.
  await page.waitForTimeout(1100)
  const validation = await fetch(`${setting.url}/api/purchases/validation`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.production}`, 'user-agent': 'curl/8.5.0' },
    body: new URLSearchParams({ purchase_code: codes.active }),
  })
  expect(validation.status).toBe(200)
  // Asked again as it is about to be revoked.
  await row.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('alertdialog').getByText('validation, by curl/8.5.0').waitFor()
})

test('the program for JavaScript proves a sale as it stands', async () => {
  const { page } = await open()
  await page.getByRole('radio', { name: 'JavaScript' }).click()
  const program = (await page.getByRole('region', { name: 'JavaScript' }).textContent()) ?? ''
  // Where packages of the workspace are found.
  const folder = await mkdtemp(join(import.meta.dirname, '.program-'))
  try {
    await writeFile(join(folder, 'program.ts'), program)
    const env = { PATH: process.env.PATH ?? '', SALEPROOF_API_KEY: keys.production, CODE: codes.active }
    const args = ['--conditions=@saleproof/source', join(folder, 'program.ts')]
    const { stdout } = await run(process.execPath, args, { env })
    expect(stdout).toBe('Harbour icons\n')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the program for curl proves a sale as it stands', async () => {
  const { page } = await open()
  const program = (await page.getByRole('region', { name: 'curl' }).textContent()) ?? ''
  const env = { PATH: process.env.PATH ?? '', SALEPROOF_API_KEY: keys.production, CODE: codes.active }
  const { stdout } = await run('bash', ['-c', program], { env })
  expect(JSON.parse(stdout)).toMatchObject({ data: { purchase: { purchase_code: codes.active } } })
})
