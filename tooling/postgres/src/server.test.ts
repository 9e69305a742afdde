import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startPostgres } from './server.ts'

async function ask(url: string, sql: string) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

test('a server starts with its settings, is stopped, crashes, starts again, and is removed', async () => {
  const server = await startPostgres({ settings: { timezone: 'Asia/Kathmandu' } })
  onTestFinished(server.remove)
  expect(await ask(server.url(), 'SHOW timezone')).toEqual([['Asia/Kathmandu']])
  await ask(server.url(), 'CREATE DATABASE kept')
  await server.stop()
  await expect(ask(server.url(), 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await server.start()
  await server.stop('crash')
  await server.start()
  expect(await ask(server.url('kept'), 'SELECT 1')).toEqual([[1]])
})

test('refuses a connection without its password', async () => {
  const server = await startPostgres()
  onTestFinished(server.remove)
  const wrong = server.url().replace(/:[0-9a-f]{32}@/, ':wrong@')
  await expect(ask(wrong, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })
})

test('a folder that is given is kept, one that was made is removed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const first = await startPostgres({ folder })
  await ask(first.url(), 'CREATE DATABASE kept')
  await first.remove()
  const again = await startPostgres({ folder })
  expect(await ask(again.url('kept'), 'SELECT 1')).toEqual([[1]])
  await again.remove()
  expect(existsSync(join(folder, 'data'))).toBe(true)
})

test('a standby follows, answers but takes nothing, and is promoted', async () => {
  const primary = await startPostgres({ settings: { fsync: 'off' } })
  onTestFinished(primary.remove)
  await ask(primary.url(), 'CREATE TABLE kept AS SELECT 1 AS before')
  const standby = await primary.startStandby({ wal_receiver_timeout: '2s' })
  onTestFinished(standby.remove)
  await ask(primary.url(), 'UPDATE kept SET before = 2')
  await expect.poll(() => ask(standby.url(), 'SELECT * FROM kept')).toEqual([[2]])
  await expect(ask(standby.url(), 'DELETE FROM kept')).rejects.toMatchObject({ code: '25006' })
  await primary.stop('crash')
  expect(await ask(standby.url(), 'SELECT pg_promote()')).toEqual([[true]])
  await ask(standby.url(), 'DELETE FROM kept')
})

test('a frozen server keeps its connections and responds to none until it resumes', async () => {
  const server = await startPostgres()
  onTestFinished(server.remove)
  const client = new pg.Client(server.url())
  await client.connect()
  const thaw = server.freeze()
  const answer = client.query('SELECT 1')
  const first = Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 300, 'nothing'))])
  expect(await first).toBe('nothing')
  thaw()
  expect((await answer).rowCount).toBe(1)
  await client.end()
})
