import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { profiles } from '../../src/import-export/sales/profiles/index.ts'
import { saleproof } from '../support/command.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { spawnCommand } from '../support/process.ts'
import { seededRandom } from '../support/random.ts'
import { records } from '../support/records.ts'
import { exportOf } from '../support/sales-exports.ts'

// A few in a test run; SALES=5000 is as many as a shop may have.
const count = Number(process.env.SALES || 500)

let folder: string
let remove: () => Promise<void>
beforeAll(async () => {
  const made = await temporaryFolder()
  folder = made.folder
  remove = made.remove
  expect((await run(['import', '-'], ndjson(records))).code).toBe(0)
  writeFileSync(join(folder, 'map.csv'), 'Item,ID\nIcon pack,101\nRain loops,102\n')
})
afterAll(() => remove())

const run = (args: readonly string[], input = '') => saleproof(args, { cwd: folder, input })

const importOf = (name: string) => [
  ...['import', `${name}.csv`, '--from', name, '--items', 'map.csv', '--item', '101', '--currency', 'USD'],
  ...['--price', '5', '--codes', 'make', '--skip-invalid'],
]

async function writeExport(name: string, size: number) {
  const made = await exportOf(name, size)
  writeFileSync(join(folder, `${name}.csv`), made.text)
  return made
}

/** State and date of each stored sale of a shop, by its order. */
async function storedOf(name: string) {
  const { stdout } = await run(['export'])
  const lines = stdout.split('\n').filter((line) => line.includes(`"order":"${name}-`))
  return new Map(
    lines.map((line) => {
      const { order, state, date } = JSON.parse(line)
      return [order, { state, date }]
    }),
  )
}

test.each(profiles.map(({ name }) => name))(
  'an export of %s, with all that spreadsheets do to it, ends in the states that it says',
  async (name) => {
    const { sales, partial, broken } = await writeExport(name, count)
    const { code, stderr } = await run(importOf(name))
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${count} created, 0 updated, 0 unchanged`)])
    expect(stderr).toContain(`${broken} rejected`)
    if (partial > 0) expect(stderr).toContain(`${partial} were refunded in part`)
    expect(await storedOf(name)).toEqual(sales)
    expect((await run(importOf(name))).stderr).toContain(`0 created, 0 updated, ${count} unchanged`)
  },
)

test('kill -9 at any time of an import loses nothing, and the same command completes it', async () => {
  const random = seededRandom()
  const before = (await run(['export'])).stdout.split('\n').filter((line) => !line.includes('"stripe-'))
  const { sales } = await writeExport('stripe', 5 * count)
  for (let kill = 0; kill < 2; kill++) {
    const { pid, done } = await spawnCommand(importOf('stripe'), { cwd: folder })
    await sleep(300 + random.below(1000))
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
    await done
    const found = await storedOf('stripe')
    expect([count, sales.size]).toContain(found.size)
  }
  expect((await run(importOf('stripe'))).code).toBe(0)
  expect(await storedOf('stripe')).toEqual(sales)
  const after = new Set((await run(['export'])).stdout.split('\n'))
  expect(before.filter((line) => !after.has(line))).toEqual([])
})
