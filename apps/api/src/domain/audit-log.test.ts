import { fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { clock, newDatabase } from '../../test/support/audit-database.ts'
import { type AuditEvent, appendAudit, createRecorder } from './audit-log.ts'

const event: AuditEvent = { at: clock(), action: 'key.created', actor: 'cli', workspaceId: 1, subject: 'k' }
const bare: AuditEvent = { at: clock(), action: 'export', actor: 'console:a' }

test('what an event does not say is null', async () => {
  const { database, entries } = await newDatabase()
  for (const each of [event, bare]) await database.transact((sql) => appendAudit(sql, each))
  expect(entries()).toMatchObject([
    { number: 1, action: 'key.created', actor: 'cli', workspaceId: 1, subject: 'k' },
    { number: 2, action: 'export', actor: 'console:a', workspaceId: null, subject: null },
  ])
})

test('what is rolled back is not recorded', async () => {
  const { database, entries } = await newDatabase()
  const failing = database.transact(async (tx) => {
    await appendAudit(tx, event)
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect(entries()).toEqual([])
  const record = createRecorder({ clock, actor: 'cli' })
  await database.transact((tx) => record(tx, { action: 'backup' }))
  expect(entries()).toMatchObject([{ action: 'backup', actor: 'cli', at: clock().getTime() }])
})

test('processes that write at once wait for each other', async () => {
  const { folder, entries } = await newDatabase()
  const writers = Array.from({ length: 3 }, (_, index) =>
    fork(new URL('../../test/support/audit-writer.ts', import.meta.url), [folder, `console:${index}`, '20'], {
      execArgv: ['--conditions=@saleproof/source'],
    }),
  )
  const codes = await Promise.all(writers.map(async (writer) => (await once(writer, 'exit'))[0]))
  expect(codes).toEqual([0, 0, 0])
  expect(entries()).toHaveLength(60)
})
