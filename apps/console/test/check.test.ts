import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { codes } from './records.ts'
import { useService } from './setting.ts'
import { heading } from './visitor.ts'

const setting = useService()

async function open() {
  const visitor = await setting.visit()
  await visitor.go('/w/ada-studio/check')
  await visitor.logIn('ada')
  await heading(visitor.page, 'Check a code').waitFor()
  return visitor
}

async function check(page: Page, code: string) {
  await page.getByLabel('Purchase code').fill(code)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
}

test.each([
  [codes.active, 'The code is valid', 'Valid', 'A compra existe e está ativa.'],
  [`  ${codes.active.replaceAll('-', '—')}\n`, 'The code is valid, once cleaned', 'Valid', 'depois de limpo'],
  [codes.refunded, 'The purchase was refunded', 'Invalid', 'A compra foi reembolsada'],
  [codes.revoked, 'The purchase was revoked', 'Invalid', 'A compra foi revogada'],
  [codes.ofSecond, 'It was sold in another workspace of yours', 'Invalid', 'outro workspace seu'],
  [
    codes.active.toLowerCase(),
    'Small and capital letters are mixed up',
    'Invalid',
    'Maiúsculas e minúsculas',
  ],
  [codes.bob, 'No purchase has this code', 'Invalid', 'Nenhuma compra tem este código'],
  ['NOTHING-LIKE-THIS-CODE', 'No purchase has this code', 'Invalid', 'Nenhuma compra tem este código'],
  ['short', 'This is too short for a code', 'Invalid', 'curto demais'],
  ['   ', 'There is no code', 'Invalid', 'Não há código'],
])('%j: %s', async (code, title, stamp, portuguese) => {
  const { page, expectClean } = await open()
  await check(page, code)
  await page.getByRole('heading', { level: 2, name: title, exact: true }).waitFor()
  await page.getByRole('status').getByText(stamp, { exact: true }).waitFor()
  await page.getByText(portuguese).first().waitFor()
  const answer = async (language: string) =>
    JSON.parse((await page.getByRole('region', { name: `Body, ${language}` }).textContent()) ?? '')
  const [english, other] = [await answer('English'), await answer('Português')]
  if (stamp === 'Valid') expect(english.data.purchase.purchase_code).toBe(codes.active)
  else expect([english.msg, other.msg]).toEqual(['Invalid purchase code', 'Código de compra inválido'])
  expectClean(code.trim() ? [code.trim()] : [])
})

test('is what the API answers, to the byte of its status and body', async () => {
  const { page } = await open()
  await page.getByLabel('Asked with').selectOption({ label: 'old server · Secret · Revoked' })
  await check(page, codes.active)
  await page.getByRole('heading', { level: 2, name: 'The key was revoked' }).waitFor()
  // Of a refused key nobody knows whether the code is good.
  await page.getByRole('status').getByText('No answer').waitFor()
  expect(await page.getByText('Status 401').count()).toBe(2)
})

test('leads to the purchase', async () => {
  const { page, expectClean } = await open()
  await check(page, codes.refunded)
  await page.getByRole('button', { name: 'Open the purchase' }).click()
  await page.getByRole('dialog').getByText(codes.refunded).first().waitFor()
  expectClean([codes.refunded])
})
