import { afterAll, beforeAll, expect, test } from 'vitest'
import { saleproof } from '../support/command.ts'
import { beginWriting } from '../support/database.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { spawnSaleproof } from '../support/process.ts'
import { records } from '../support/records.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
  expect((await run(['import', '-'], ndjson(records))).code).toBe(0)
})
afterAll(() => folder.remove())

const run = (args: readonly string[], input = '') => saleproof(args, { cwd: folder.folder, input })

const sale = (purchase_code: string) => ({
  ...{ type: 'purchase', item: 101, purchase_code, license_type: 'Regular', price: 1, currency: 'USD' },
  ...{ downloaded: false, date: '2024-01-01T00:00:00Z' },
})

test('without a command the help is shown, as wrong usage', async () => {
  const { code, stdout, stderr } = await run([])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^Usage: saleproof /)
})

test('an import says that there may be more errors than it lists', async () => {
  const wrong = ndjson(Array(5).fill({ type: 'refund' }))
  const some = await run(['import', '-', '--max-errors', '3'], wrong)
  expect(some.code).toBe(1)
  expect(some.stderr.match(/^line \d+: /gm)).toHaveLength(3)
  expect(some.stderr).toContain('stopped after 3')
  const all = await run(['import', '-'], wrong)
  expect(all.stderr.match(/^line \d+: /gm)).toHaveLength(5)
  expect(all.stderr).not.toContain('stopped')
})

test('an import counts the warnings that it does not list', async () => {
  const short = ndjson(Array.from({ length: 5 }, (_, index) => sale(`short-${index}`)))
  const { code, stderr } = await run(['import', '-', '--dry-run', '--max-errors', '2'], short)
  expect(code).toBe(0)
  expect(stderr.match(/^warning: /gm)).toHaveLength(2)
  expect(stderr).toMatch(/^3 more warnings/m)
})

test('a workspace that can be made can be imported again', async () => {
  const made = await run(['workspace', 'create', '--owner', 'ada', '--slug', '2--a', '--name', 'A'])
  expect(made).toMatchObject({ code: 0, stdout: '' })
  const exported = (await run(['export'])).stdout
  expect(exported).toContain('"slug":"2--a"')
  expect((await run(['import', '-', '--dry-run'], exported)).code).toBe(0)
  const refused = await run(['workspace', 'create', '--owner', 'ada', '--slug', 'A b', '--name', 'A'])
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^slug .*\n$/) })
})

test('while another writes: one clear line, exit code 1, nothing changed', async () => {
  const before = (await run(['export'])).stdout
  const finish = await beginWriting(folder)
  const workspace = ndjson([{ type: 'workspace', slug: 'waits', name: 'W', owner: 'ada' }])
  // Each waits for seconds: at the same time, as processes of their own.
  const refused = await Promise.all(
    [
      { args: ['item', 'remove', '101', '--with-purchases'], input: '' },
      { args: ['key', 'create', '--workspace', 'ada-studio'], input: '' },
      { args: ['import', '-'], input: workspace },
    ].map(({ args, input }) => spawnSaleproof(args, { cwd: folder.folder, input })),
  )
  await finish()
  for (const { code, stdout, stderr } of refused) {
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^another command or an import is writing to the database[^\n]*\n$/)
  }
  expect((await run(['export'])).stdout).toBe(before)
})
