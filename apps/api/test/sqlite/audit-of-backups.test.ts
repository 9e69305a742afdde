import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { saleproof } from '../support/command.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { records } from '../support/records.ts'

interface Listed {
  action: string
  actor: string
  subject: string | null
}

let home: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  home = await temporaryFolder()
})
afterEach(() => home.remove())

const run = (args: readonly string[], input?: string, cwd = home.folder) =>
  saleproof(args, { cwd, ...(input !== undefined && { input }) })

async function done(args: readonly string[], input?: string) {
  const result = await run(args, input)
  expect([result.code, result.code === 0 ? '' : result.stderr], args.join(' ')).toEqual([0, ''])
  return result
}

const load = (more: readonly object[]) => done(['import', '-'], ndjson(more))
const listed = async (): Promise<Listed[]> =>
  JSON.parse((await done(['audit', 'list', '--json', '--limit', '500'])).stdout)

test('a backup takes its log along, and restoring it is recorded with what it replaced', async () => {
  await load(records)
  await done(['backup', 'copy.backup'])
  const before = await listed()
  expect(before.at(-1)!.action).toBe('backup')
  await done(['export'])
  const replaced = (await done(['audit', 'verify'])).stdout.trim()
  await done(['restore', 'copy.backup'])
  await done(['audit', 'verify'])
  const after = await listed()
  expect(after.slice(0, -1)).toEqual(before)
  expect(after.at(-1)).toMatchObject({ action: 'restore', actor: 'cli' })
  expect(after.at(-1)!.subject).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z replacing /)
  expect(after.at(-1)!.subject!.endsWith(` ${replaced}`)).toBe(true)
  const kept = await run(['audit', 'verify', '--noted', replaced])
  expect([kept.code, kept.stdout]).toEqual([1, ''])
})

test('a restore without the secret is recorded by the first command that has it', async () => {
  await load(records)
  await done(['backup', 'copy.backup'])
  const other = join(home.folder, 'other')
  mkdirSync(other)
  expect((await run(['restore', '../copy.backup'], '', other)).stderr).toContain(
    'warning: the secret of the backup is missing',
  )
  copyFileSync(join(home.folder, 'data/saleproof.db.secret'), join(other, 'data/saleproof.db.secret'))
  const list = async () => JSON.parse((await run(['audit', 'list', '--json'], '', other)).stdout) as Listed[]
  const entries = await list()
  expect(entries.slice(-2).map(({ action }) => action)).toEqual(['backup', 'restore'])
  expect(await list()).toEqual(entries)
  expect((await run(['audit', 'verify'], '', other)).code).toBe(0)
})

test('a backup is made without its record where there is no secret to seal that with', async () => {
  await load(records)
  rmSync(join(home.folder, 'data/saleproof.db.secret'))
  const { stderr } = await done(['backup', 'copy.backup'])
  expect(stderr).toContain('could not be recorded')
})
