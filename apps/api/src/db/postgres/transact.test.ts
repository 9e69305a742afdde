import { expect, inject, onTestFinished, test } from 'vitest'
import { temporaryDatabase } from '../../../test/support/postgres-databases.ts'
import { readAddress } from './address.ts'
import { createPool } from './pool.ts'
import { createTransact } from './transact.ts'

test.each([
  ['goes back to the pool after a conflict', `INSERT INTO t VALUES (1), (1)`, { kind: 'conflict' }, 1],
  ['goes back to the pool after a wrong value', `SELECT 1 / 0`, { kind: 'other' }, 1],
  ['is closed where statements are no longer the same', `SELECT * FROM none`, { kind: 'schema' }, 0],
])('a connection %s', async (_, statement, error, idle) => {
  const { url, remove } = await temporaryDatabase(inject('postgresUrl'), { empty: true })
  onTestFinished(remove)
  const address = readAddress(url)
  const pool = createPool(address, { lockTimeoutMs: 5000 }, async () => {})
  onTestFinished(() => pool.end())
  const transact = createTransact(pool, address)
  await transact(({ run }) => run('CREATE TABLE t (id integer PRIMARY KEY)'))
  await expect(transact(({ run }) => run(statement))).rejects.toMatchObject(error)
  expect(pool.idleCount).toBe(idle)
})
