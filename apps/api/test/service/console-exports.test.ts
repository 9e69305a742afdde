import { request } from 'node:http'
import { consoleEndpoints } from '@saleproof/schema/console'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExportSlots } from '../../src/console/purchases/export-slots.ts'
import { createWorkerSemaphore, type SharedSlot } from '../../src/rate-limit/export-semaphore.ts'
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

test('an export whose client disconnected releases its slot', async () => {
  const stopWriting = await beginWriting({ database: service.database })
  const asked = Array.from({ length: 3 }, () => ask(ada, 'ada-studio'))
  // The other two exports are running.
  expect(await Promise.race(asked.map(({ status }) => status))).toBe(429)
  for (const { leave } of asked) leave()
  await stopWriting()
  await expect.poll(async () => (await exportOf(ada, 'lisboa')).status, { timeout: 10_000 }).toBe(200)
})

test('all owners together may run eight exports', async () => {
  const slots = createExportSlots()
  const ends = []
  for (const owner of ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd']) ends.push(await slots.acquire(owner))
  await expect(slots.acquire('e')).rejects.toThrow('too_many_exports')
  ends[0]!()
  // A second release does nothing.
  ends[0]!()
  await slots.acquire('e')
  await expect(slots.acquire('e')).rejects.toThrow('too_many_exports')
})

test('exports in other processes count, unless the primary does not respond', async () => {
  let shared: SharedSlot = 'full'
  const slots = createExportSlots(async () => shared)
  for (let times = 0; times < 3; times++) await expect(slots.acquire('a')).rejects.toThrow('too_many_exports')
  let freed = 0
  shared = () => freed++
  const end = await slots.acquire('a')
  end()
  end()
  expect(freed).toBe(1)
  shared = undefined
  for (let times = 0; times < 2; times++) await slots.acquire('a')
  await expect(slots.acquire('a')).rejects.toThrow('too_many_exports')
})

test('the exit of a worker releases its slots', () => {
  const slots = createWorkerSemaphore(2)
  expect([slots.acquire(1, 0, 'a'), slots.acquire(2, 0, 'a'), slots.acquire(2, 1, 'a')]).toEqual([
    true,
    true,
    false,
  ])
  // A slot that was not granted is not released.
  slots.release(2, 1)
  expect(slots.acquire(3, 0, 'a')).toBe(false)
  slots.releaseAll(1)
  expect([slots.acquire(3, 1, 'a'), slots.acquire(3, 2, 'a')]).toEqual([true, false])
  slots.release(2, 0)
  expect(slots.acquire(3, 3, 'a')).toBe(true)
})
