import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import type { Observation } from '../telemetry/observer.ts'
import { createKeyUse } from './key-use.ts'
import { openTrafficFile, trafficFile } from './traffic-file.ts'

function setup() {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'test.db')
}

const logger = pino({ level: 'silent' })
const used = (keyId: string | undefined): Observation => ({
  ...{ method: 'GET', route: '/', operation: undefined, status: 200, code: null },
  ...{ durationMs: 1, requestId: 'r', workspace: null, keyId, itemId: undefined },
})

const lastUses = (databaseFile: string) => {
  const file = openTrafficFile(databaseFile)
  try {
    return file.lastUses()
  } finally {
    file.close()
  }
}

test('the last use of each key is written when the service stops, and nothing before', () => {
  const databaseFile = setup()
  let time = 1000
  const keyUse = createKeyUse({ databaseFile, logger, now: () => time })
  keyUse.observe(used('a'))
  time = 2000
  keyUse.observe(used('a'))
  keyUse.observe(used('b'))
  keyUse.observe(used(undefined))
  expect(existsSync(trafficFile(databaseFile))).toBe(false)
  keyUse.close()
  expect(lastUses(databaseFile)).toEqual(
    new Map([
      ['a', new Date(2000)],
      ['b', new Date(2000)],
    ]),
  )
  expect(statSync(trafficFile(databaseFile)).mode & 0o777).toBe(0o600)
})

test('of two processes the later use stands', () => {
  const databaseFile = setup()
  const later = createKeyUse({ databaseFile, logger, now: () => 5000 })
  const earlier = createKeyUse({ databaseFile, logger, now: () => 4000 })
  later.observe(used('a'))
  earlier.observe(used('a'))
  later.close()
  earlier.close()
  expect(lastUses(databaseFile)).toEqual(new Map([['a', new Date(5000)]]))
})

test('a file that is locked stops nothing', () => {
  const databaseFile = setup()
  openTrafficFile(databaseFile).close()
  const blocker = new Sqlite(trafficFile(databaseFile))
  blocker.exec('BEGIN EXCLUSIVE')
  const keyUse = createKeyUse({ databaseFile, logger, now: () => 1000 })
  keyUse.observe(used('a'))
  expect(() => keyUse.close()).not.toThrow()
  blocker.exec('COMMIT')
  blocker.close()
})
