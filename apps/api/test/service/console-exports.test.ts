import { request } from 'node:http'
import { consoleEndpoints, consolePath } from '@saleproof/schema/console'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPlacesOfWorkers, type SharedPlace } from '../../src/cluster/export-semaphore.ts'
import { createExportSlots } from '../../src/console/purchases/export-slots.ts'
import { type Browser, createBrowser, errorOf, password } from '../support/console-client.ts'
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
  const sent = request(`${service.url}/console/api${consolePath('exportPurchases', { slug })}`, {
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

test('an owner may have two exports made at a time; a third one is told to wait, and nobody else waits', async () => {
  // An export begins with a line in the audit log, which has to wait.
  const stopWriting = await beginWriting({ database: service.database })
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

test('one whose browser has gone away is no longer in the way', async () => {
  const stopWriting = await beginWriting({ database: service.database })
  const asked = Array.from({ length: 3 }, () => ask(ada, 'ada-studio'))
  // The other two have begun.
  expect(await Promise.race(asked.map(({ status }) => status))).toBe(429)
  for (const { leave } of asked) leave()
  await stopWriting()
  await expect.poll(async () => (await exportOf(ada, 'lisboa')).status, { timeout: 10_000 }).toBe(200)
})

test('all owners together have eight', async () => {
  const slots = createExportSlots()
  const ends = []
  for (const owner of ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd']) ends.push(await slots.take(owner))
  await expect(slots.take('e')).rejects.toThrow('too_many_exports')
  ends[0]!()
  // Whoever ends twice frees one place all the same.
  ends[0]!()
  await slots.take('e')
  await expect(slots.take('e')).rejects.toThrow('too_many_exports')
})

test('a place that another process has taken is none here, and one that nobody knows of is', async () => {
  let shared: SharedPlace = 'full'
  const slots = createExportSlots(async () => shared)
  for (let times = 0; times < 3; times++) await expect(slots.take('a')).rejects.toThrow('too_many_exports')
  let freed = 0
  shared = () => freed++
  const end = await slots.take('a')
  end()
  end()
  expect(freed).toBe(1)
  shared = undefined
  for (let times = 0; times < 2; times++) await slots.take('a')
  await expect(slots.take('a')).rejects.toThrow('too_many_exports')
})

test('a process that ends leaves no place taken', () => {
  const places = createPlacesOfWorkers(2)
  expect([places.take(1, 0, 'a'), places.take(2, 0, 'a'), places.take(2, 1, 'a')]).toEqual([
    true,
    true,
    false,
  ])
  // What was never taken frees none.
  places.free(2, 1)
  expect(places.take(3, 0, 'a')).toBe(false)
  places.forget(1)
  expect([places.take(3, 1, 'a'), places.take(3, 2, 'a')]).toEqual([true, false])
  places.free(2, 0)
  expect(places.take(3, 3, 'a')).toBe(true)
})
