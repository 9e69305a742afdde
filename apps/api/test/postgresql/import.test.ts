import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changeIn, rowsIn } from '../support/database.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { spawnCommand, spawnSaleproof } from '../support/process.ts'
import { records } from '../support/records.ts'

let home: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  home = await temporaryFolder()
})
afterEach(() => home.remove())

const one = (type: string) => records.find((record) => (record as { type: string }).type === type)

const count = 60_000
const purchases = Array.from({ length: count }, (_, index) => ({
  ...one('purchase'),
  purchase_code: `CODE-${index * 7919}-OF-A-LARGE-FILE`,
}))
const file = ndjson([...records, ...purchases])
const isStored = async () =>
  Number((await rowsIn(home.folder, 'SELECT count(*)::int AS count FROM "Purchase"'))[0]!.count)

/** Whether an import is at the one step that writes. */
const isWriting = async () =>
  (
    await rowsIn(
      home.folder,
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'INSERT INTO "Purchase"%' AND state = 'active'`,
    )
  ).length > 0

test('an import that is killed while it writes leaves nothing; done again the tables are analysed', async () => {
  // It would be at the table after what the killed import leaves, and an import leaves such a table to it.
  await changeIn(home, 'ALTER TABLE "Purchase" SET (autovacuum_enabled = off)')
  const { pid, done } = await spawnCommand(['import', '-'], { cwd: home.folder, input: file })
  let ended = false
  void done.then(() => {
    ended = true
  })
  while (!ended && !(await isWriting())) await sleep(5)
  expect(ended).toBe(false)
  process.kill(pid, 'SIGKILL')
  await done
  expect(await isStored()).toBe(0)
  expect(await rowsIn(home.folder, 'SELECT 1 FROM "AuditEntry"')).toEqual([])
  expect((await spawnSaleproof(['import', '-'], { cwd: home.folder, input: file })).code).toBe(0)
  expect(await isStored()).toBeGreaterThan(count)
  const known = await rowsIn(
    home.folder,
    `SELECT reltuples::int AS rows, (SELECT count(*)::int FROM pg_stats WHERE tablename = 'Purchase') AS columns
     FROM pg_class WHERE relname = 'Purchase'`,
  )
  expect(known).toEqual([{ rows: await isStored(), columns: 16 }])
})

test('a file of many items that is loaded again is compared in seconds, and changes nothing', async () => {
  const items = Array.from({ length: 2000 }, (_, index) => ({ ...one('item'), id: 5000 + index }))
  const sold = items.flatMap(({ id }) =>
    Array.from({ length: 20 }, (_, index) => ({
      ...one('purchase'),
      item: id,
      purchase_code: `CODE-OF-${id}-${index}`,
    })),
  )
  const input = ndjson([...records, ...items, ...sold])
  expect((await spawnSaleproof(['import', '-'], { cwd: home.folder, input })).code).toBe(0)
  const again = await spawnSaleproof(['import', '-'], { cwd: home.folder, input })
  expect(again.stderr).toContain(`purchase: 0 created, 0 updated, ${await isStored()} unchanged`)
  // By a plan that knows nothing of the items each purchase is compared with each: that takes minutes.
})
