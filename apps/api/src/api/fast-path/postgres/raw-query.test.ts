import { expect, inject, onTestFinished, test } from 'vitest'
import { temporaryDatabase } from '../../../../test/support/postgres-databases.ts'
import { readAddress } from '../../../db/postgres/address.ts'
import { openConnection } from '../../../db/postgres/connection.ts'
import { type Query, RawQuery, type RawRow } from './raw-query.ts'

// The queries override methods of the driver that are not public: this is what they rely on.

async function connect() {
  const { url, remove } = await temporaryDatabase(inject('postgresUrl'), { empty: true })
  const connection = await openConnection(readAddress(url), { lockTimeoutMs: 50, pipeline: true })
  onTestFinished(async () => {
    await connection.end()
    await remove()
  })
  const raw = (query: Query) =>
    new Promise<RawRow[]>((resolve, reject) => {
      connection.query(new RawQuery(query, (error, rows) => (error ? reject(error) : resolve(rows))))
    })
  return { connection, raw }
}

test('values arrive as texts, in the order of the queries of a pipeline', async () => {
  const { connection, raw } = await connect()
  const text = 'SELECT $1::int AS "number", $2::text AS "text", true AS "flag"'
  const queries = ['1', '2', '3'].map((number) => raw({ name: 'some', text, values: [number, null] }))
  const other: Promise<{ rows: unknown[] }> = connection.query('SELECT 1 + 1 AS "sum"')
  expect(await Promise.all(queries)).toEqual(['1', '2', '3'].map((number) => [[number, null, 't']]))
  expect((await other).rows).toEqual([{ sum: 2 }])
})

test('a named statement is prepared once, also after an error in it, and a nameless one never', async () => {
  const { raw } = await connect()
  const divide = (by: string) => raw({ name: 'divide', text: 'SELECT 6 / $1::int', values: [by] })
  expect(await divide('2')).toEqual([['3']])
  await expect(divide('0')).rejects.toMatchObject({ code: '22012' })
  expect(await Promise.all([divide('1'), divide('3')])).toEqual([[['6']], [['2']]])
  await raw({ name: undefined, text: 'SELECT $1::text', values: ['x'] })
  const text = `SELECT "name", "generic_plans" + "custom_plans" FROM "pg_prepared_statements" WHERE "name" <> ''`
  expect(await raw({ name: undefined, text, values: [] })).toEqual([['divide', '3']])
})

test('a statement that cannot be parsed fails alone, and again', async () => {
  const { raw } = await connect()
  const wrong = () => raw({ name: 'wrong', text: 'SELECT "missing"', values: [] })
  const right = () => raw({ name: 'right', text: 'SELECT 1', values: [] })
  const outcomes = await Promise.allSettled([wrong(), right(), wrong(), right()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
})
