import { copyFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import type { DatabaseError } from '../../src/db/errors.ts'
import { fileOf } from '../support/database.ts'
import { startService } from '../support/harness.ts'
import { records } from '../support/records.ts'
import { eventually } from './serving.ts'

/** A service whose database is at hand, and a copy of its database. */
async function start() {
  const service = await startService({ records })
  onTestFinished(() => service.close())
  const file = fileOf(service.database)
  const database = new Sqlite(file)
  database.prepare('VACUUM INTO ?').run(`${file}.spare`)
  database.close()
  const isReady = async () => (await service.request({ path: '/readyz' })).status === 200
  return { ...service, file, spare: `${file}.spare`, isReady }
}

const lost = { name: 'DatabaseError', kind: 'file_lost' } satisfies Partial<DatabaseError>

const rename = (name: string) => ({ where: { slug: 'ada-studio' }, data: { name } })

test('what was written to a database that is gone by then is not confirmed', async () => {
  const { database, file, spare, isReady } = await start()
  const writing = database.write(async (tx) => {
    await tx.workspace.update(rename('Written to nowhere'))
    rmSync(file)
  })
  await expect(writing).rejects.toMatchObject(lost)
  await expect(database.write((tx) => tx.workspace.update(rename('Never')))).rejects.toMatchObject(lost)
  await expect(database.prisma.workspace.count()).rejects.toMatchObject(lost)
  await expect(database.read('SELECT 1')).rejects.toMatchObject(lost)

  copyFileSync(spare, file)
  await eventually(isReady)
  const name = async () =>
    (await database.prisma.workspace.findUnique({ where: { slug: 'ada-studio' } }))?.name
  expect(await name()).toBe('Ada Studio')
  await database.write((tx) => tx.workspace.update(rename('Written at last')))
  expect(await name()).toBe('Written at last')
  expect(await database.read('SELECT name FROM Workspace WHERE slug = $1', 'ada-studio')).toEqual([
    { name: 'Written at last' },
  ])
})

test('a result from a database that is gone by then is not sent', async () => {
  const { database, file, isReady } = await start()
  const counting = database.prisma.workspace.count()
  renameSync(file, `${file}.moved`)
  await expect(counting).rejects.toMatchObject({ name: 'DatabaseError' })
  renameSync(`${file}.moved`, file)
  await eventually(isReady)
  expect(await database.prisma.workspace.count()).toBeGreaterThan(0)
})

test('where the times of files mean nothing they are not looked at for ever', async () => {
  const { file, isReady, logs } = await start()
  const touch = () => utimesSync(file, new Date(), new Date(statSync(file).mtimeMs + 10_000))
  for (let count = 0; count < 3; count++) {
    touch()
    await eventually(async () => !(await isReady()))
    await eventually(isReady)
  }
  touch()
  expect(await isReady()).toBe(true)
  expect(logs.filter((line) => line.includes('the times of the database file'))).toHaveLength(1)
})
