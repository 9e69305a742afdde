import type { CheckReason } from '@saleproof/schema/console'
import { locales } from '@saleproof/schema/constants'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { tested, texts } from './languages.ts'
import { codes, keys } from './records.ts'
import { useTestApp } from './test-app.ts'
import { heading } from './visitor.ts'

const app = useTestApp()

async function open(language: (typeof locales)[number]) {
  const visitor = await app.visitAs('ada', { language })
  await visitor.go('/w/ada-studio/check')
  await heading(visitor.page, visitor.t.nav.check).waitFor()
  return visitor
}

async function check(page: Page, t: (typeof texts)['en'], code: string) {
  await page.getByLabel(t.purchases.fields.purchase_code).fill(code)
  await page.getByRole('button', { name: t.check.submit, exact: true }).click()
}

const cases: readonly (readonly [string, CheckReason])[] = [
  [codes.active, 'valid'],
  [`  ${codes.active.replaceAll('-', '—')}\n`, 'valid_as_paste'],
  [codes.refunded, 'refunded'],
  [codes.revoked, 'revoked'],
  [codes.ofSecond, 'other_workspace'],
  [codes.active.toLowerCase(), 'other_case'],
  [`My code: "${codes.active}".`, 'in_text'],
  [codes.active.replaceAll('-', ' '), 'other_dashes'],
  [codes.active.replace('0001', 'O001'), 'typo'],
  [codes.active.replace('BBBB', 'B8B8'), 'typo'],
  [codes.active.replace('0001', 'O00l').toLowerCase(), 'typo'],
  [codes.active.replace('-AAAA', ''), 'cut_off'],
  [codes.active.replace('ADA1-', ''), 'cut_off'],
  ['The last digits are cccc-0001.', 'cut_off'],
  [codes.bob, 'not_found'],
  ['short', 'too_short'],
  ['NOTHING-LIKE-THIS-CODE', 'not_found'],
  ['   ', 'empty'],
]

const near = new Set<CheckReason>(['in_text', 'other_case', 'other_dashes', 'typo', 'cut_off'])

describe.each(tested)('in %s', (language) => {
  test('a check shows the API response and the reason in both languages', async () => {
    const { page, t, expectClean } = await open(language)
    const readBody = async (name: string) =>
      JSON.parse((await page.getByRole('region', { name: `${t.check.body}, ${name}` }).textContent()) ?? '')
    for (const [code, reason] of cases) {
      await check(page, t, code)
      const { title } = t.check.reasons[reason]
      await page.getByRole('heading', { level: 2, name: title, exact: true }).waitFor()
      const isValid = reason.startsWith('valid')
      const stamp = page
        .getByRole('status')
        .getByText(t.check.stamps[isValid ? 'success' : near.has(reason) ? 'near' : 'error'], { exact: true })
      await stamp.waitFor()
      if (near.has(reason)) await page.getByRole('status').getByText(codes.active, { exact: true }).waitFor()
      for (const other of locales) {
        const { title, text } = texts[other].check.reasons[reason]
        await page.getByText(`${title}. ${text}`).waitFor()
      }
      const [english, portuguese] = [await readBody('English'), await readBody('Português')]
      if (isValid) expect(english.data.purchase.purchase_code).toBe(codes.active)
      else
        expect([english.msg, portuguese.msg]).toEqual(['Invalid purchase code', 'Código de compra inválido'])
    }
    expectClean(cases.map(([code]) => code.trim()).filter(Boolean))
  })

  test('a code of an ended purchase that was nearly pasted says first that the purchase has ended', async () => {
    const { page, t, expectClean } = await open(language)
    const result = page.getByRole('status')
    const ended: readonly (readonly [string, CheckReason, 'refunded' | 'revoked'])[] = [
      [`My code is ${codes.refunded}.`, 'in_text', 'refunded'],
      [codes.refunded.toLowerCase(), 'other_case', 'refunded'],
      [codes.refunded.replace('0002', 'O002'), 'typo', 'refunded'],
      [`My code is ${codes.revoked}.`, 'in_text', 'revoked'],
    ]
    for (const [pasted, reason, state] of ended) {
      await check(page, t, pasted)
      const near = t.check.reasons[reason]
      await result.getByText(`${near.title}. ${near.text}`).waitFor()
      await result.getByRole('heading', { name: t.check.reasons[state].title, exact: true }).waitFor()
      await result.getByText(t.check.stamps.error, { exact: true }).waitFor()
      expect(await result.getByText(t.check.stamps.near, { exact: true }).count()).toBe(0)
      const advice = await result.locator('p:has(strong)').allTextContents()
      expect(advice).toEqual([
        `${t.check.nextStep}: ${t.check.reasons[state].nextStep}`,
        `${t.check.onceActive}: ${near.nextStep}`,
      ])
    }
    expectClean([codes.refunded, codes.revoked])
  })

  test('a rejected key says nothing about the code', async () => {
    const { page, t } = await open(language)
    const label = [`old server (…${keys.old.slice(-4)})`, t.keys.kinds.secret, t.keys.states.revoked].join(
      ' · ',
    )
    await page.getByLabel(t.check.key).selectOption({ label })
    await check(page, t, codes.active)
    await page
      .getByRole('heading', { level: 2, name: t.check.reasons.key_revoked.title, exact: true })
      .waitFor()
    await page.getByRole('status').getByText(t.check.stamps.warning).waitFor()
    expect(await page.getByText(`${t.check.status} 401`).count()).toBe(2)
  })

  test('a pasted API key is named as one, and leaves the field', async () => {
    const { page, t, expectClean } = await open(language)
    await check(page, t, `the key is ${keys.production}`)
    await page.getByRole('heading', { level: 2, name: t.check.reasons.api_key.title, exact: true }).waitFor()
    expect(await page.getByLabel(t.purchases.fields.purchase_code).inputValue()).toBe('')
    expectClean([keys.production])
  })

  test('the result links to the purchase', async () => {
    const { page, t, expectClean } = await open(language)
    await check(page, t, codes.refunded)
    await page.getByRole('button', { name: t.check.openPurchase }).click()
    await page.getByRole('dialog').getByText(codes.refunded).first().waitFor()
    expectClean([codes.refunded])
  })
})

test('the responses in both languages stand beside each other, however long their texts are', async () => {
  const { page, t } = await open('pt')
  const tops = () =>
    page
      .getByRole('region', { name: t.check.body })
      .evaluateAll((panes) => panes.map((pane) => Math.round(pane.getBoundingClientRect().top)))
  for (const width of [1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    for (const code of ['NOTHING-LIKE-THIS-CODE', 'short', codes.refunded]) {
      await check(page, t, code)
      await page.getByRole('heading', { level: 2, name: t.check.responses }).waitFor()
      await expect.poll(async () => (await tops()).length).toBe(2)
      const [english, portuguese] = await tops()
      expect(english, `${width} ${code}`).toBe(portuguese)
    }
  }
})
