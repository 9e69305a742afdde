import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { usageFilePath } from '../db/location.ts'
import type { RequestEvent } from '../observability/observer.ts'
import { createKeyUse } from './key-use.ts'
import { monitorUsageFile, openUsageFile, type UsageFile } from './usage-file.ts'

function setup() {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'test.db')
}

const logger = pino({ level: 'silent' })
const used = (keyId: string | undefined, userAgent?: string): RequestEvent => ({
  method: 'GET',
  route: '/',
  operation: 'listItems',
  status: 200,
  code: null,
  durationMs: 1,
  requestId: 'r',
  workspace: null,
  keyId,
  refusedKey: undefined,
  validated: undefined,
  rawHeaders: ['Host', 'example.com', ...(userAgent === undefined ? [] : ['User-Agent', userAgent])],
})

const by = (client: string) => ({ operation: 'listItems', client }) as const

const lastUses = (databaseFile: string, keyIds?: readonly string[]) => {
  const file = openUsageFile(databaseFile)
  try {
    return file.lastUses(keyIds)
  } finally {
    file.close()
  }
}

/** Like a process of its own: it has its own connection. */
function keyUseOf(databaseFile: string, now: () => number) {
  let file: UsageFile | undefined
  const store = () => (file ??= openUsageFile(databaseFile))
  const { observe, close } = createKeyUse({ store, logger, now })
  return { observe, close: () => close().finally(() => file?.close()) }
}

test('the last use of each key is written when the service stops, not before', async () => {
  const databaseFile = setup()
  let time = 1000
  const keyUse = keyUseOf(databaseFile, () => time)
  keyUse.observe(used('a', 'curl/8.5.0'))
  time = 2000
  keyUse.observe(used('a', 'WordPress/6.8; https://shop.example'))
  keyUse.observe(used('b'))
  keyUse.observe(used(undefined, 'curl/8.5.0'))
  expect(existsSync(usageFilePath(databaseFile))).toBe(false)
  await keyUse.close()
  expect(lastUses(databaseFile)).toEqual(
    new Map([
      ['a', { at: new Date(2000), by: by('WordPress/6.8') }],
      ['b', { at: new Date(2000), by: by('') }],
    ]),
  )
  expect(lastUses(databaseFile, ['b', 'c'])).toEqual(new Map([['b', { at: new Date(2000), by: by('') }]]))
  expect(lastUses(databaseFile, [])).toEqual(new Map())
  expect(statSync(usageFilePath(databaseFile)).mode & 0o777).toBe(0o600)
})

test('the later use of two processes wins', async () => {
  const databaseFile = setup()
  const later = keyUseOf(databaseFile, () => 5000)
  const earlier = keyUseOf(databaseFile, () => 4000)
  later.observe(used('a', 'later/1'))
  earlier.observe(used('a', 'earlier/1'))
  await later.close()
  await earlier.close()
  expect(lastUses(databaseFile)).toEqual(new Map([['a', { at: new Date(5000), by: by('later/1') }]]))
})

test('a locked file stops nothing', async () => {
  const databaseFile = setup()
  openUsageFile(databaseFile).close()
  const blocker = new Sqlite(usageFilePath(databaseFile))
  blocker.exec('BEGIN EXCLUSIVE')
  const keyUse = keyUseOf(databaseFile, () => 1000)
  keyUse.observe(used('a'))
  await expect(keyUse.close()).resolves.toBeUndefined()
  blocker.exec('COMMIT')
  blocker.close()
})

test.each<[string, (file: string) => void]>([
  ['deleted', (file) => rmSync(file)],
  ['replaced', (file) => copyFileSync(file, `${file}.copy`)],
])('a file that is %s is created again', (_, act) => {
  const databaseFile = setup()
  const file = usageFilePath(databaseFile)
  const monitored = monitorUsageFile(databaseFile)
  onTestFinished(monitored.close)
  monitored.use().recordKeyUse(new Map([['a', { at: 1000, ...by('') }]]))
  act(file)
  if (existsSync(`${file}.copy`)) renameSync(`${file}.copy`, file)
  monitored.use().recordKeyUse(new Map([['b', { at: 2000, ...by('') }]]))
  expect(lastUses(databaseFile).get('b')?.at).toEqual(new Date(2000))
})

test('a file without the columns for operation and client is upgraded', async () => {
  const databaseFile = setup()
  const before = new Sqlite(usageFilePath(databaseFile))
  before.exec(`CREATE TABLE KeyUse (keyId TEXT NOT NULL PRIMARY KEY, lastUsedAt INTEGER NOT NULL);
    INSERT INTO KeyUse VALUES ('a', 1000), ('b', 1000)`)
  before.close()
  const keyUse = keyUseOf(databaseFile, () => 3000)
  keyUse.observe(used('b', 'curl/8.5.0'))
  await keyUse.close()
  expect(lastUses(databaseFile)).toEqual(
    new Map([
      ['a', { at: new Date(1000), by: null }],
      ['b', { at: new Date(3000), by: by('curl/8.5.0') }],
    ]),
  )
})

test('a busy key is recorded once a second', async () => {
  const databaseFile = setup()
  let time = 1000
  const keyUse = keyUseOf(databaseFile, () => time)
  for (; time < 4000; time += 10) keyUse.observe(used('a'))
  await keyUse.close()
  expect(lastUses(databaseFile).get('a')?.at).toEqual(new Date(3000))
})
