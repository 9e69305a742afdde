import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openUsage, usageOf, usageVault, validation } from '../../test/support/usage.ts'
import { createKeyVault } from '../crypto/key-vault.ts'
import { usageFilePath } from '../db/location.ts'
import type { RequestEvent } from '../http/request-event.ts'
import { monitorUsageFile } from './usage-file.ts'

function setup() {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'test.db')
}

const used = (keyId: string | undefined, userAgent?: string, clientAddress?: string): RequestEvent =>
  validation({
    operation: 'listItems',
    keyId,
    clientAddress,
    rawHeaders: ['Host', 'example.com', ...(userAgent === undefined ? [] : ['User-Agent', userAgent])],
  })

const by = (client: string) => ({ operation: 'listItems', client }) as const

async function lastUses(databaseFile: string, keyIds?: readonly string[]) {
  const { store, close } = openUsage(databaseFile)
  return store.lastUses(keyIds).finally(close)
}

const { slot } = usageVault

test('the last use of each key is written when the service stops, not before', async () => {
  const databaseFile = setup()
  let time = 1000
  const keyUse = usageOf(databaseFile, () => time)
  keyUse.observe(used('a', 'curl/8.5.0'))
  time = 2000
  keyUse.observe(used('a', 'WordPress/6.8; https://shop.example'))
  keyUse.observe(used('b'))
  keyUse.observe(used(undefined, 'curl/8.5.0'))
  expect(existsSync(usageFilePath(databaseFile))).toBe(false)
  await keyUse.close()
  expect(await lastUses(databaseFile)).toEqual(
    new Map([
      ['a', { at: new Date(2000), by: by('WordPress/6.8') }],
      ['b', { at: new Date(2000), by: by('') }],
    ]),
  )
  expect(await lastUses(databaseFile, ['b', 'c'])).toEqual(
    new Map([['b', { at: new Date(2000), by: by('') }]]),
  )
  expect(await lastUses(databaseFile, [])).toEqual(new Map())
  expect(statSync(usageFilePath(databaseFile)).mode & 0o777).toBe(0o600)
})

test('the later use of two processes wins', async () => {
  const databaseFile = setup()
  const later = usageOf(databaseFile, () => 5000)
  const earlier = usageOf(databaseFile, () => 4000)
  later.observe(used('a', 'later/1'))
  earlier.observe(used('a', 'earlier/1'))
  await later.close()
  await earlier.close()
  expect(await lastUses(databaseFile)).toEqual(new Map([['a', { at: new Date(5000), by: by('later/1') }]]))
})

test('a locked file stops nothing', async () => {
  const databaseFile = setup()
  openUsage(databaseFile).close()
  const blocker = new Sqlite(usageFilePath(databaseFile))
  blocker.exec('BEGIN EXCLUSIVE')
  const keyUse = usageOf(databaseFile, () => 1000)
  keyUse.observe(used('a'))
  await expect(keyUse.close()).resolves.toBeUndefined()
  blocker.exec('COMMIT')
  blocker.close()
})

test.each<[string, (file: string) => void]>([
  ['deleted', (file) => rmSync(file)],
  ['replaced', (file) => copyFileSync(file, `${file}.copy`)],
])('a file that is %s is created again', async (_, act) => {
  const databaseFile = setup()
  const file = usageFilePath(databaseFile)
  const monitored = monitorUsageFile(databaseFile)
  onTestFinished(monitored.close)
  const record = (keyId: string, at: number) =>
    monitored.use().run({ method: 'record', given: [{ keyUses: [{ keyId, at, ...by('') }] }, at] })
  await record('a', 1000)
  act(file)
  if (existsSync(`${file}.copy`)) renameSync(`${file}.copy`, file)
  await record('b', 2000)
  expect((await lastUses(databaseFile)).get('b')?.at).toEqual(new Date(2000))
})

test('a busy key is recorded once a second', async () => {
  const databaseFile = setup()
  let time = 1000
  const keyUse = usageOf(databaseFile, () => time)
  for (; time < 4000; time += 10) keyUse.observe(used('a'))
  await keyUse.close()
  expect((await lastUses(databaseFile)).get('a')?.at).toEqual(new Date(3000))
})

describe('the addresses of a key', () => {
  const hourMs = 3_600_000

  async function countOf(databaseFile: string, keyId: string, now: number) {
    const { store, close } = openUsage(databaseFile)
    const counts = await store.addressCounts([keyId, 'other'], now).finally(close)
    return counts.get(keyId) ?? 0
  }

  test('are counted together by several processes, once each, and never more than there are', async () => {
    const databaseFile = setup()
    let time = 1000
    const processes = [1, 2].map(() => usageOf(databaseFile, () => time))
    for (let round = 0; round < 2; round++) {
      for (const [index, process] of processes.entries()) {
        for (let host = 0; host < 20; host++) {
          time += 2000
          process.observe(used('a', undefined, `192.0.2.${host + index * 10}`))
          process.observe(used('b', undefined, '192.0.2.1'))
        }
      }
    }
    for (const process of processes) await process.close()
    const count = await countOf(databaseFile, 'a', time)
    expect(count).toBeLessThanOrEqual(30)
    expect(count).toBeGreaterThan(20)
    expect(await countOf(databaseFile, 'b', time)).toBe(1)
    expect(await countOf(databaseFile, 'c', time)).toBe(0)
  })

  test('are forgotten after a day, and are at most 256 slots', async () => {
    const databaseFile = setup()
    let time = 0
    const first = usageOf(databaseFile, () => time)
    for (let host = 0; host < 3000; host++, time += 1000)
      first.observe(used('a', undefined, `10.0.${host >> 8}.${host & 255}`))
    await first.close()
    expect(await countOf(databaseFile, 'a', time)).toBeLessThanOrEqual(256)
    expect(await countOf(databaseFile, 'a', time)).toBeGreaterThan(240)
    time = 30 * hourMs
    const second = usageOf(databaseFile, () => time)
    second.observe(used('a', undefined, '10.1.0.1'))
    await second.close()
    expect(await countOf(databaseFile, 'a', 0)).toBe(1)
  })

  test('are not stored: what is, fits millions of them, and tells keys and secrets apart', async () => {
    const databaseFile = setup()
    const keyUse = usageOf(databaseFile, () => 1000)
    keyUse.observe(used('a', undefined, '192.0.2.77'))
    await keyUse.close()
    const file = new Sqlite(usageFilePath(databaseFile))
    const rows = file.prepare('SELECT * FROM KeyAddress').all()
    file.close()
    expect(rows).toEqual([{ keyId: 'a', slot: slot('a 192.0.2.77'), hour: 0 }])
    const slotsOf = (vault: { slot: (text: string) => number }, key: string) =>
      Array.from({ length: 50 }, (_, host) => vault.slot(`${key} 192.0.2.${host}`))
    expect(slotsOf(createKeyVault('another'), 'a')).not.toEqual(slotsOf({ slot }, 'a'))
    expect(slotsOf({ slot }, 'b')).not.toEqual(slotsOf({ slot }, 'a'))
    for (const one of slotsOf({ slot }, 'a')) expect(one).toBeLessThan(256)
  })

  test('wait for a file that is locked', async () => {
    const databaseFile = setup()
    openUsage(databaseFile).close()
    const keyUse = usageOf(databaseFile, () => 1000)
    const blocker = new Sqlite(usageFilePath(databaseFile))
    blocker.exec('BEGIN EXCLUSIVE')
    keyUse.observe(used('a', undefined, '192.0.2.1'))
    await keyUse.readLastUses()
    blocker.exec('COMMIT')
    blocker.close()
    await keyUse.close()
    expect(await countOf(databaseFile, 'a', 1000)).toBe(1)
  })
})
