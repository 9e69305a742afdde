import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Locale } from '@saleproof/schema/constants'
import { describe, expect, test } from 'vitest'
import { tested } from './languages.ts'
import { codes, keys, passwords } from './records.ts'
import { useTestApp } from './test-app.ts'
import type { Visitor } from './visitor.ts'

const app = useTestApp()
const run = promisify(execFile)

const statusWith = async (key: string) =>
  (await fetch(`${app.url}/api/account/details`, { headers: { authorization: `Bearer ${key}` } })).status

async function open(language: Locale = 'en') {
  const permissions = ['clipboard-read', 'clipboard-write']
  const visitor = await app.visitAs('ada', { language, permissions })
  await visitor.go('/w/ada-studio/settings/api-access')
  await visitor.page.getByRole('rowheader', { name: /^production/ }).waitFor()
  return visitor
}

/** What the console calls a key. */
const labelOf = (name: string, key: string) => `${name} (…${key.slice(-4)})`

async function createKey({ page, t }: Visitor, name: string): Promise<string> {
  await page.getByRole('button', { name: t.keys.newKey }).click()
  await page.getByLabel(t.keys.form.name, { exact: true }).fill(name)
  await page.getByRole('button', { name: t.keys.form.submit }).click()
  return (await page.getByTestId('api-key').textContent()) ?? ''
}

describe.each(tested)('in %s', (language) => {
  test('a new key works immediately, and stops when it is revoked', async () => {
    const visitor = await open(language)
    const { page, t, expectClean } = visitor
    const key = await createKey(visitor, 'shop server')
    const command = (await page.getByRole('region', { name: t.keys.created.tryIt }).textContent()) ?? ''
    const { stdout } = await run('bash', ['-c', `${command} -s`])
    expect(JSON.parse(stdout)).toMatchObject({ status: 'success', data: { username: 'ada' } })

    await page.getByRole('button', { name: t.keys.created.copy }).click()
    await page.getByRole('status').filter({ hasText: t.actions.copied }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
    await page.getByRole('button', { name: t.keys.created.done }).click()

    const label = labelOf('shop server', key)
    await page.getByRole('button', { name: t.keys.revokeNamed(label), exact: true }).click()
    const dialog = page.getByRole('alertdialog', { name: t.keys.revoke.title(label), exact: true })
    await dialog.getByText(t.keys.revoke.text).waitFor()
    await dialog.getByRole('button', { name: t.keys.revoke.submit }).click()
    await page.getByText(t.keys.revoke.done(label)).waitFor()
    expect(await statusWith(key)).toBe(401)
    expectClean([key])
  })

  test('a key leaves the page when its dialog closes, and is shown again with the password only', async () => {
    const visitor = await open(language)
    const { page, t, expectClean } = visitor
    const name = `reveal in ${language}`
    const key = await createKey(visitor, name)
    await page.getByRole('button', { name: t.keys.created.done }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(key)

    await page.getByRole('button', { name: t.keys.showNamed(labelOf(name, key)) }).click()
    await page.getByLabel(t.keys.reveal.password).fill('something else')
    await page.keyboard.press('Enter')
    await page.getByText(t.errors.codes.wrong_password).waitFor()
    expect(await page.content()).not.toContain(key)
    await page.getByLabel(t.keys.reveal.password).fill(passwords.ada)
    await page.keyboard.press('Enter')
    expect(await page.getByTestId('api-key').textContent()).toBe(key)
    expectClean([key, passwords.ada])
  })

  test('the last use of a key is shown, also before it is revoked; inactive keys have a list of their own', async () => {
    await fetch(`${app.url}/api/items/all`, {
      headers: {
        authorization: `Bearer ${keys[language]}`,
        'user-agent': 'WordPress/6.8; https://example.com',
      },
    })
    const { page, t } = await open(language)
    const row = page.getByRole('row', { name: new RegExp(`^server ${language}`) })
    const { operations, lastUse } = t.keys
    await row.getByText(lastUse(operations.listItems, 'WordPress/6.8')).waitFor()
    // Uses within a second are recorded once.
    await page.waitForTimeout(1100)
    expect(await app.validate(codes.active, { key: keys[language], userAgent: 'curl/8.5.0' })).toBe(200)
    // The dialog loads the key again.
    const label = labelOf(`server ${language}`, keys[language])
    await row.getByRole('button', { name: t.keys.revokeNamed(label) }).click()
    const expectedUse = lastUse(operations.validatePurchase, 'curl/8.5.0')
    await page.getByRole('alertdialog').getByText(t.keys.lastUsed(t.time.justNow, expectedUse)).waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: t.keys.revoke.submit }).click()
    await page.getByText(t.keys.revoke.done(label)).waitFor()

    expect(await page.getByText('old server').isVisible()).toBe(false)
    await page.locator('details', { hasText: 'old server' }).locator('summary').click()
    for (const name of [/^old server/, new RegExp(`^server ${language}`)])
      await page.getByRole('row', { name }).getByText(t.keys.states.revoked).waitFor()
  })
})

test.each(tested)(
  'in %s a key is rotated by keyboard, and both are shown until the old one ends',
  async (language) => {
    const visitor = await open(language)
    const { page, t, expectClean } = visitor
    const name = `turn over in ${language}`
    const old = await createKey(visitor, name)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: t.keys.rotateNamed(labelOf(name, old)) }).focus()
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: t.keys.rotateNamed(labelOf(name, old)) })
    await form.getByText(t.keys.noUse).waitFor()
    // The first field has the focus.
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('SELECT')
    await page.getByLabel(t.keys.rotate.ends).selectOption('now')
    await form.getByText(t.keys.rotate.warning).waitFor()
    await page.getByLabel(t.keys.rotate.ends).selectOption('day')
    await page.getByLabel(t.keys.form.day).fill('2020-01-01')
    await page.keyboard.press('Enter')
    await form.getByText(t.errors.fields.past).waitFor()
    await page.getByLabel(t.keys.rotate.ends).selectOption('hours24')
    await page.getByRole('button', { name: t.keys.rotate.submit }).focus()
    await page.keyboard.press('Enter')
    const successor = (await page.getByTestId('api-key').textContent()) ?? ''
    expect([await statusWith(old), await statusWith(successor)]).toEqual([200, 200])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // The button that had the focus is gone.
    await expect
      .poll(() => page.evaluate('document.activeElement.textContent'))
      .toBe(t.keys.rotate.done(labelOf(name, old)))
    const rows = await page.getByRole('row', { name: new RegExp(`^${name}`) }).allTextContents()
    expect(rows).toHaveLength(2)
    expect(rows[0]).toContain(`…${successor.slice(-4)}`)
    expect(rows[0]).toContain(t.keys.states.live)
    expect(rows[1]).toContain(`…${old.slice(-4)}`)
    expect(rows[1]).toContain(t.keys.ending)
    const rotateOld = page.getByRole('button', { name: t.keys.rotateNamed(labelOf(name, old)) })
    expect(await rotateOld.count()).toBe(0)
    await page.getByRole('button', { name: t.keys.rotateNamed(labelOf(name, successor)) }).waitFor()
    expectClean([old, successor])
  },
)

test.each(tested)('in %s the name of a key that works is refused', async (language) => {
  const { page, t, expectClean } = await open(language)
  await page.getByRole('button', { name: t.keys.newKey }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name')
  await page.keyboard.type('production')
  await page.keyboard.press('Enter')
  await page.getByText(t.errors.fields.name_taken).waitFor()
  const name = page.getByLabel(t.keys.form.name, { exact: true })
  expect(await name.getAttribute('aria-invalid')).toBe('true')
  await name.fill(`not production ${language}`)
  await page.keyboard.press('Enter')
  await page.getByTestId('api-key').waitFor()
  expectClean()
})

test('a key can be publishable and limited to one item', async () => {
  const { page, t, expectClean } = await open()
  await page.getByRole('button', { name: t.keys.newKey }).click()
  await page.getByLabel(t.keys.form.name, { exact: true }).fill('plugin')
  await page.getByRole('radio', { name: t.keys.kinds.publishable }).check()
  await page.getByText(t.keys.form.kindTexts.publishable).waitFor()
  await page.getByRole('searchbox').fill('harbour')
  await page.getByRole('checkbox', { name: /Harbour icons/ }).check()
  const failure = { error: { code: 'too_many_attempts' } }
  await page.route('**/signing-keys', (route) => route.fulfill({ status: 429, json: failure }), { times: 1 })
  await page.getByRole('button', { name: t.keys.form.submit }).click()
  const retry = page.getByRole('dialog').getByRole('button', { name: t.actions.retry })
  await retry.waitFor()
  expect(await page.getByText(t.settings.passes.snippetsText).count()).toBe(0)
  await retry.click()
  const key = (await page.getByTestId('api-key').textContent()) ?? ''
  const program = (await page.getByRole('region', { name: 'JavaScript' }).textContent()) ?? ''
  expect(program).toContain(`apiKey: '${key}'`)
  const [, publicKey] = /workspace: 'ada-studio', publicKeys: \['([\w-]{43})'\]/.exec(program) ?? []
  const published = await fetch(`${app.url}/.well-known/jwks.json`).then((response) => response.text())
  expect(published).toContain(`"x":"${publicKey}"`)
  expect(await app.validate(codes.active, { key })).toBe(200)
  expect(await app.validate('MANY-0001-QRST-UVWX', { key })).toBe(404)
  expect(await statusWith(key)).toBe(403)
  expectClean([key])
})

test('a key can expire on a custom date', async () => {
  const { page, t, format } = await open('pt')
  const { form } = t.keys
  await page.getByRole('button', { name: t.keys.newKey }).click()
  await page.getByLabel(form.name, { exact: true }).fill('for a while')
  await page.getByLabel(form.expires).selectOption(form.expiry.day)
  await page.getByLabel(form.day).fill('2020-01-01')
  await page.getByRole('button', { name: form.submit }).click()
  await page.getByText(t.errors.fields.past).waitFor()
  await page.getByLabel(form.day).fill('2031-12-24')
  await page.getByRole('button', { name: form.submit }).click()
  await page.getByRole('button', { name: t.keys.created.done }).click()
  await page
    .getByRole('row', { name: /for a while/ })
    .getByText(format.date('2031-12-24T12:00:00Z'))
    .waitFor()
})

test.each([768, 1024, 1280])('nothing of the keys is cut off at %i px', async (width) => {
  const { page, t } = await open('pt')
  await page.setViewportSize({ width, height: 800 })
  await page
    .getByRole('button', { name: t.keys.revokeNamed(labelOf('production', keys.production)) })
    .waitFor()
  const cutOff = `[...document.querySelectorAll('table')].filter((table) => table.scrollWidth > table.parentElement.clientWidth).length`
  expect(await page.evaluate(cutOff)).toBe(0)
})
