import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { profiles } from '../../src/import-export/sales/profiles/index.ts'
import { type Sent, send } from '../support/client.ts'
import { saleproof } from '../support/command.ts'
import { createBrowser, password, salesChoices } from '../support/console-client.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { spawnServe } from '../support/process.ts'
import { records } from '../support/records.ts'
import { compareStored, exportOf, timeZone } from '../support/sales-exports.ts'
import { createHome, eventually } from './serving.ts'

const count = 5000

const items: Readonly<Record<number, string>> = { 101: 'Icon pack', 102: 'Rain loops' }
const named = records.map((record) => {
  const name = 'type' in record && record.type === 'item' && 'id' in record && items[Number(record.id)]
  return name ? { ...record, name } : record
})

/** What the files of the shops call them. */
const calls = [
  ['Icon pack', 'icons', '7001', '55'].map((text) => `${text},101`),
  ['Rain loops', 'loops', '7002', '56'].map((text) => `${text},102`),
]

let folder: string
let remove: () => Promise<void>
beforeAll(async () => {
  const made = await temporaryFolder()
  folder = made.folder
  remove = made.remove
  expect((await run(['import', '-'], ndjson(named))).code).toBe(0)
  writeFileSync(join(folder, 'map.csv'), `Item,ID\n${calls.flat().join('\n')}\n`)
})
afterAll(() => remove())

const run = (args: readonly string[], input = '') => saleproof(args, { cwd: folder, input })

const importOf = (name: string) => [
  ...['import', `${name}.csv`, '--from', name, '--items', 'map.csv', '--currency', 'USD', '--price', '5'],
  ...['--codes', 'make', '--skip-invalid', '--time-zone', timeZone],
]

const made = new Map<string, ReturnType<typeof exportOf>>()

test.each(profiles.map(({ name }) => name))(
  'an export of %s, with all that spreadsheets do to it, is imported once',
  async (name) => {
    const file = exportOf(name, count)
    made.set(name, file)
    const { text, sales, rows, partial, rejected, oneCode } = file
    writeFileSync(join(folder, `${name}.csv`), text)
    const { code, stderr } = await run(importOf(name))
    const { length } = sales
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${length} created, 0 updated, 0 unchanged`)])
    expect(stderr).toContain(`${rejected} rejected`)
    expect(stderr.includes('refunded in part') ? stderr : '0 were').toContain(`${partial} were`)
    expect(stderr.includes('for several pieces') ? stderr : '0 rows').toContain(`${oneCode} rows`)
    expect(rows).toBeGreaterThan(count)
    expect((await run(importOf(name))).stderr).toContain(`0 created, 0 updated, ${length} unchanged`)
  },
)

test('every sale of every export ended as its file says it', async () => {
  expect(made.size).toBe(profiles.length)
  const { stdout } = await run(['export'])
  for (const [name, file] of made) {
    const differences = compareStored(name, stdout, items, file)
    expect(differences, name).toEqual({ missing: [], unexpected: [], codes: file.sales.length })
  }
})

/** The staging of an import is a file that is open, and has no name any more. */
function isImporting(pid: number) {
  const files = readdirSync(`/proc/${pid}/fd`)
  return files.some((file) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${file}`).includes('.import-')
    } catch {
      return false
    }
  })
}

test('a service that is killed while it imports a file of the console has stored nothing, and takes it again', async () => {
  const cwd = await createHome()
  const account = records.find((record) => 'username' in record && record.username === 'ada')
  const input = ndjson([{ ...account, password }])
  expect((await saleproof(['import', '-'], { cwd, input })).code).toBe(0)
  const lines = async () => (await saleproof(['export'], { cwd })).stdout
  const before = await lines()
  const shop = { slug: 'ada-studio' }
  const { text, sales } = exportOf('none', 8000)
  const file = new File([text], 'none.csv')
  const start = async () => {
    const service = await spawnServe({ cwd })
    const ada = createBrowser(service.url)
    await ada.signIn('ada')
    return { service, ada }
  }

  const first = await start()
  const preview = await first.ada.ask('previewSales', shop, { file, choices: {} })
  const matched = { 'Icon pack': 101, 'Rain loops': 102 }
  const choices = salesChoices(preview, { items: matched, time_zone: timeZone, skip_invalid: true })
  // Its last byte never comes: however slow the test is, the import is not over before it is killed.
  const via = ({ body = '', headers, ...sent }: Sent) =>
    send(first.service.url, {
      ...sent,
      headers: { ...headers, 'content-length': String(body.length) },
      body: body.slice(0, -1),
    })
  const importing = first.ada.call('importSales', shop, { file, choices }, { via }).then(
    ({ status }) => status,
    () => 'killed',
  )
  await eventually(() => isImporting(first.service.pid))
  first.service.signal('SIGKILL')
  expect(await importing).toBe('killed')
  await first.service.done
  expect((await lines()) === before).toBe(true)

  const { service, ada } = await start()
  const { counts } = await ada.ask('importSales', shop, { file, choices })
  expect(counts.purchases).toEqual({ created: sales.length, updated: 0, unchanged: 0 })
  service.signal('SIGTERM')
  await service.done
  const differences = compareStored('none', await lines(), items, { sales })
  expect(differences).toEqual({ missing: [], unexpected: [], codes: sales.length })
})
