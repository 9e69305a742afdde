import fc from 'fast-check'
import { expect, inject, onTestFinished, test } from 'vitest'
import { temporaryDatabase } from '../../../../test/support/postgres-databases.ts'
import { readAddress } from '../../../db/postgres/address.ts'
import { openConnection } from '../../../db/postgres/connection.ts'
import { shareConnection } from './shared-connection.ts'

async function connect() {
  const { url, remove } = await temporaryDatabase(inject('postgresUrl'), { empty: true })
  const connection = await openConnection(readAddress(url), { lockTimeoutMs: 50, pipeline: true })
  onTestFinished(async () => {
    await connection.end()
    await remove()
  })
  return shareConnection(connection)
}

test('values arrive as the texts that were sent, whatever their length', async () => {
  const { query } = await connect()
  const text = fc.string({ unit: 'binary' }).map((some) => some.replaceAll('\0', '').toWellFormed())
  const long = fc.tuple(text, fc.nat(100_000)).map(([some, times]) => some.repeat(times / (some.length + 1)))
  const value = fc.oneof(fc.constant(null), text, long)
  const echo = (values: (string | null)[]) =>
    query({ name: 'echo', text: 'SELECT $1::text, true, $2::text', values })
  const queries = fc.array(fc.tuple(value, value), { maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(queries, async (asked) => {
      const rows = await Promise.all(asked.map(echo))
      expect(rows).toEqual(asked.map(([first, second]) => [[first, 't', second]]))
    }),
    { numRuns: 50 },
  )
})

test('queries without a result fail with their connection, and say why where the server said it', async () => {
  const { query } = await connect()
  const queries = ['pg_terminate_backend(pg_backend_pid())', 'pg_sleep(0)'].map((act) =>
    query({ name: undefined, text: `SELECT ${act}`, values: [] }),
  )
  const outcomes = await Promise.allSettled(queries)
  expect(outcomes).toMatchObject([
    { status: 'rejected', reason: { reason: '57P01' } },
    { status: 'rejected', reason: { kind: 'connection_lost' } },
  ])
})

test('a named statement is prepared once, also after an error in it, and a nameless one never', async () => {
  const { query } = await connect()
  const divide = (by: string) => query({ name: 'divide', text: 'SELECT 6 / $1::int', values: [by] })
  expect(await divide('2')).toEqual([['3']])
  await expect(divide('0')).rejects.toMatchObject({ reason: '22012' })
  expect(await Promise.all([divide('1'), divide('3')])).toEqual([[['6']], [['2']]])
  await query({ name: undefined, text: 'SELECT $1::text', values: ['x'] })
  const text = `SELECT "name", "generic_plans" + "custom_plans" FROM "pg_prepared_statements" WHERE "name" <> ''`
  expect(await query({ name: undefined, text, values: [] })).toEqual([['divide', '3']])
})

test('a statement that cannot be parsed fails alone, and again', async () => {
  const { query } = await connect()
  const wrong = () => query({ name: 'wrong', text: 'SELECT "missing"', values: [] })
  const right = () => query({ name: 'right', text: 'SELECT 1', values: [] })
  const outcomes = await Promise.allSettled([wrong(), right(), wrong(), right()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
})
