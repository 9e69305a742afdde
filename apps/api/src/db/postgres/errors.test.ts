import type { Pool } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { temporaryDatabase } from '../../../test/support/postgres-databases.ts'
import { DatabaseError, type DatabaseErrorKind, errorMetric } from '../errors.ts'
import { readAddress } from './address.ts'
import { fromPostgres } from './errors.ts'
import { createPool } from './pool.ts'
import { openPrisma } from './prisma.ts'

/** The label and the message of an error. */
const errorOf = async (act: () => Promise<unknown>) => {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    return `${errorMetric(error)}: ${error.message}`
  }
  return 'no error'
}

const poolTo = (url: string) =>
  createPool(readAddress(url), { lockTimeoutMs: 50, statementTimeoutMs: 200 }, async () => {})

/** A pool, Prisma on another one, and a connection of another client. */
async function connections() {
  const { url, remove } = await temporaryDatabase(inject('postgresUrl'))
  const pools: Pool[] = [poolTo(url), poolTo(url), poolTo(url)]
  const [pool, ofPrisma, ofOther] = pools as [Pool, Pool, Pool]
  const { prisma, close } = await openPrisma(ofPrisma, 1000)
  const other = await ofOther.connect()
  other.on('error', () => {})
  onTestFinished(async () => {
    other.release(true)
    await close()
    for (const each of pools) await each.end()
    await remove()
  })
  const pid = async () => (await other.query('SELECT pg_backend_pid() AS pid')).rows[0].pid as number
  const both = async (sql: string) => [
    await errorOf(() => pool.query(sql)),
    await errorOf(() => prisma.$executeRawUnsafe(sql)),
  ]
  return { pool, other, pid, both, prisma }
}

const twice = (expected: RegExp) => [expect.stringMatching(expected), expect.stringMatching(expected)]

test('what takes too long, waits for a lock, may not write or does not find its table: through the driver and Prisma', async () => {
  const { other, both } = await connections()
  expect(await both('SELECT pg_sleep(2)')).toEqual(twice(/^timeout: the database took too long.*\(57014\)$/))
  await other.query('BEGIN; LOCK TABLE "Item"')
  expect(await both('UPDATE "Item" SET "name" = "name"')).toEqual(twice(/^busy: another command.*\(55P03\)$/))
  await other.query('ROLLBACK')
  expect(await both('SELECT 1 FROM "Missing"')).toEqual(twice(/^schema: /))
  expect(await both('SELECT "missing" FROM "Item"')).toEqual(twice(/^schema: /))
  const readOnly = 'SET default_transaction_read_only = on'
  expect(await both(readOnly)).toEqual(['no error', 'no error'])
  expect(await both('DELETE FROM "Item"')).toEqual(twice(/^readonly: the database is read-only.*\(25006\)$/))
})

test('a connection that is ended, and a server that is not there', async () => {
  const { pool, other, pid } = await connections()
  await pool.query('SELECT pg_terminate_backend($1)', [await pid()])
  expect(await errorOf(() => other.query('SELECT 1'))).toMatch(/^cannot_open: /)
  const nowhere = poolTo('postgresql://u:p@127.0.0.1:1/x')
  expect(await errorOf(() => nowhere.query('SELECT 1'))).toMatch(/^cannot_open: nothing listens where/)
  const { prisma, close } = await openPrisma(nowhere, 1000).catch((error) => ({
    prisma: error,
    close: undefined,
  }))
  const asked = close ? () => prisma.account.count() : () => Promise.reject(prisma)
  expect(await errorOf(asked)).toMatch(/^cannot_open: nothing listens where/)
  await close?.()
  await nowhere.end()
})

test.each<[string, DatabaseErrorKind, string[]]>([
  ['exhausted', 'too_many_connections', ['53300']],
  ['exhausted', 'exhausted', ['53200', '53400']],
  ['busy', 'busy', ['40001', '40P01', '55P03']],
  ['full', 'full', ['53100']],
  ['cannot_open', 'connection_lost', ['08006', 'EPIPE', 'ECONNRESET', '57P01', '57P02', '57P03']],
  ['cannot_open', 'wrong_password', ['28P01']],
  ['cannot_open', 'no_database', ['3D000']],
  ['cannot_open', 'no_permission', ['42501']],
  ['io', 'io', ['58030']],
  ['corrupt', 'damaged', ['XX001', 'XX002']],
  ['other', 'conflict', ['23503', '23505']],
  ['other', 'other', ['22012', 'XX000']],
])('%s, %s: %j', (metric, kind, codes) => {
  for (const code of codes) {
    const error = fromPostgres(Object.assign(new Error(), { code }))
    expect(error).toMatchObject({ name: 'DatabaseError', kind, reason: code })
    expect(errorMetric(error)).toBe(metric)
  }
})

test('an error of the driver without a code is one of the connection', () => {
  expect(fromPostgres(new Error('Connection terminated'))).toMatchObject({ kind: 'connection_lost' })
})
