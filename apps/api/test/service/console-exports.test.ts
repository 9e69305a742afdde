import { request } from 'node:http'
import { consoleEndpoints } from '@saleproof/schema/console'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, consolePath, createBrowser, errorOf, password } from '../support/console-client.ts'
import { beginWriting } from '../support/database.ts'
import { startService, type TestService } from '../support/harness.ts'
import { records } from '../support/records.ts'

const withPasswords = records.map((record) =>
  (record as { type: string }).type === 'account' ? { ...record, password } : record,
)

let service: TestService
let ada: Browser
let bob: Browser
beforeAll(async () => {
  service = await startService({ records: withPasswords, env: { SALEPROOF_SIGN_IN_LIMIT: 'off' } })
  ada = createBrowser(service.url)
  bob = createBrowser(service.url)
  await ada.signIn('ada')
  await bob.signIn('bob')
})
afterAll(() => service.close())

const exportOf = (owner: Browser, slug: string) => owner.call('exportPurchases', { slug }, { format: 'csv' })

/** Asks for an export and may leave before there is an answer. */
function ask(owner: Browser, slug: string) {
  const { method } = consoleEndpoints.exportPurchases
  const sent = request(`${service.url}${consolePath('exportPurchases', { slug })}`, {
    method,
    agent: false,
    headers: {
      'content-type': 'application/json',
      cookie: owner.cookie(),
      'x-csrf-token': owner.token(),
    },
  })
  const status = new Promise<number | undefined>((resolve) =>
    sent.on('response', (response) => resolve(response.resume().statusCode)),
  )
  sent.on('error', () => {})
  sent.end('{"format":"ndjson"}')
  return { status, leave: () => sent.destroy() }
}

test('an owner may run two exports at a time; a third gets a 429, and other owners are not affected', async () => {
  // An export begins with a line in the audit log, which has to wait.
  const stopWriting = await beginWriting(service)
  const [studio, lisboa, third] = [
    exportOf(ada, 'ada-studio'),
    exportOf(ada, 'lisboa'),
    exportOf(ada, 'ada-studio'),
  ]
  const refused = await Promise.race([studio, lisboa, third])
  expect(errorOf(refused)).toEqual([429, { code: 'too_many_exports', retry_after: 10 }])
  expect(refused.headers['retry-after']).toBe('10')
  const others = exportOf(bob, 'bob-works')
  await stopWriting()
  const statuses = (await Promise.all([studio, lisboa, third, others])).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 200, 200, 429])
  for (const slug of ['ada-studio', 'lisboa', 'ada-studio'])
    expect((await exportOf(ada, slug)).status).toBe(200)
})

test('an export whose client disconnected releases its slot', async () => {
  const stopWriting = await beginWriting(service)
  const asked = Array.from({ length: 3 }, () => ask(ada, 'ada-studio'))
  // The other two exports are running.
  expect(await Promise.race(asked.map(({ status }) => status))).toBe(429)
  for (const { leave } of asked) leave()
  await stopWriting()
  await expect.poll(async () => (await exportOf(ada, 'lisboa')).status).toBe(200)
})
