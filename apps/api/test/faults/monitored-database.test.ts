import { renameSync, rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import type { DatabaseError } from '../../src/db/errors.ts'
import { fileOf } from '../support/database.ts'
import { startService } from '../support/harness.ts'
import { records } from '../support/records.ts'

/** A service whose database is at hand. */
async function start() {
  const service = await startService({ records })
  onTestFinished(() => service.close())
  return { ...service, file: fileOf(service.opened) }
}

const lost = { name: 'DatabaseError', kind: 'file_lost' } satisfies Partial<DatabaseError>

const rename = (name: string) => ({ where: { slug: 'ada-studio' }, data: { name } })

test('what was written to a database that is gone by then is not confirmed', async () => {
  const { database, file } = await start()
  const writing = database.transact(async (tx) => {
    await tx.workspace.update(rename('Written to nowhere'))
    rmSync(file)
  })
  await expect(writing).rejects.toMatchObject(lost)
  await expect(database.transact((tx) => tx.workspace.update(rename('Never')))).rejects.toMatchObject(lost)
  await expect(database.prisma.workspace.count()).rejects.toMatchObject(lost)
  await expect(database.read('SELECT 1')).rejects.toMatchObject(lost)
})

test('a result from a database that is gone by then is not sent', async () => {
  const { database, file } = await start()
  const counting = database.prisma.workspace.count()
  renameSync(file, `${file}.moved`)
  await expect(counting).rejects.toMatchObject({ name: 'DatabaseError' })
  await expect(database.prisma.workspace.count()).rejects.toMatchObject(lost)
})
