import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, createBrowser, errorOf, password } from '../support/console-client.ts'
import { startService, type TestService } from '../support/harness.ts'
import { records } from '../support/records.ts'

const withPasswords = records.map((record) =>
  (record as { type: string }).type === 'account' ? { ...record, password } : record,
)
const ofAda = records.find(
  (record) => 'workspace' in record && record.workspace === 'ada-studio' && 'kind' in record,
)!
const many = Array.from({ length: 3000 }, (_, index) => ({
  ...ofAda,
  id: 500_000 + index,
  name: `Pinsel ${index}`,
  // A search reads them.
  tags: Array.from({ length: 40 }, (_, tag) => `für sehr große Flächen ${tag}`),
}))

let service: TestService
let ada: Browser
let bob: Browser
beforeAll(async () => {
  service = await startService({
    records: [...withPasswords, ...many],
    env: { SALEPROOF_SIGN_IN_LIMIT: 'off' },
  })
  ada = createBrowser(service.url)
  bob = createBrowser(service.url)
  await ada.signIn('ada')
  await bob.signIn('bob')
})
afterAll(() => service.close())

test('an owner who searches sixty times at once keeps no other owner waiting, and is refused past a bound', {
  retry: 3,
}, async () => {
  const order: string[] = []
  const search = async () => {
    const answer = await ada.call('listItems', { slug: 'ada-studio' }, { search: 'GROßE' })
    if (answer.status === 200) order.push('ada')
    return answer
  }
  const page = async () => {
    await bob.ask('listItems', { slug: 'bob-works' }, { search: 'p' })
    order.push('bob')
  }
  const searches = Array.from({ length: 60 }, search)
  await Promise.race(searches)
  await page()
  const answers = await Promise.all(searches)
  // The position among the searches meanwhile, not behind all that waited before.
  expect(order.indexOf('bob')).toBeLessThan(10)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.length).toBeGreaterThan(20)
  for (const answer of refused) {
    expect(errorOf(answer)).toEqual([503, { code: 'busy', retry_after: 1 }])
    expect(answer.headers['retry-after']).toBe('1')
  }
  await ada.ask('listItems', { slug: 'ada-studio' })
})
