import { chmodSync, copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { saleproof, serve } from '../support/command.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { records, secretKey } from '../support/records.ts'

interface Finding {
  check: string
  state: 'ok' | 'warning' | 'problem'
  finding: string
  advice: string | null
}

let home: Awaited<ReturnType<typeof temporaryFolder>>
let file: string
beforeEach(async () => {
  home = await temporaryFolder()
  file = join(home.folder, 'data/saleproof.db')
  const { code } = await saleproof(['import', '-'], { cwd: home.folder, input: ndjson(records) })
  expect(code).toBe(0)
})
afterEach(() => home.remove())

async function examine(env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await saleproof(['doctor', '--json'], { cwd: home.folder, env })
  expect(stderr).toBe('')
  const findings: Finding[] = JSON.parse(stdout)
  for (const { state, advice } of findings) expect(advice === null).toBe(state === 'ok')
  expect(code).toBe(findings.some(({ state }) => state === 'problem') ? 1 : 0)
  const bad = findings.filter(({ state }) => state !== 'ok')
  return { findings, bad: bad.map(({ check, state }) => `${check} ${state}`), text: stdout }
}

const change = (sql: string) => {
  const database = new Sqlite(file)
  database.exec(sql)
  database.close()
}

test('a healthy deployment has only good findings, also while it is served', async () => {
  const { findings, bad } = await examine()
  expect(bad).toEqual([])
  expect(findings[0]).toEqual({
    check: 'version',
    state: 'ok',
    finding: expect.stringMatching(/^saleproof \d+\.\d+\.\d+/),
    advice: null,
  })
  expect(findings.map(({ check }) => check)).toEqual([
    'version',
    'configuration',
    'database',
    'migrations',
    'secret',
    'disk',
  ])
  const service = await serve({ cwd: home.folder })
  expect((await examine()).bad).toEqual([])
  await service.stop()
  const { code, stdout } = await saleproof(['doctor'], { cwd: home.folder })
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^check +state +finding +advice\n/)])
})

test('before the first start nothing is wrong, and nothing is made', async () => {
  rmSync(join(home.folder, 'data'), { recursive: true })
  expect((await examine()).bad).toEqual(['database warning'])
  expect((await examine()).bad).toEqual(['database warning'])
  // Not even root can make a folder there.
  const nowhere = await examine({ DATABASE_URL: 'file:/proc/nowhere/saleproof.db' })
  expect(nowhere.bad).toEqual(['database warning', 'disk problem'])
})

test.each<[string, () => void, string[]]>([
  ['a lost secret', () => rmSync(`${file}.secret`), ['secret problem']],
  ['another secret', () => writeFileSync(`${file}.secret`, 'x'.repeat(43)), ['secret problem']],
  ['half a secret', () => writeFileSync(`${file}.secret`, 'xxx'), ['secret problem', 'secret problem']],
  ['a secret for all to read', () => chmodSync(`${file}.secret`, 0o644), ['disk problem']],
  ['a database for all to read', () => chmodSync(file, 0o644), ['disk problem']],
  ['a folder for all to write', () => chmodSync(join(file, '..'), 0o777), ['disk problem']],
  ['a lost database', () => rmSync(file), ['database problem']],
  ['an emptied database', () => truncateSync(file, 0), ['database problem']],
  ['half a database', () => truncateSync(file, 20_000), ['database problem', 'secret problem']],
  ['no database at all', () => writeFileSync(file, 'x'.repeat(9000)), ['database problem', 'secret problem']],
  [
    'a key that was damaged',
    () => change(`UPDATE ApiKey SET keyCipher = zeroblob(60) WHERE name = 'old'`),
    ['secret problem'],
  ],
  [
    'a migration that is missing',
    () =>
      change(
        'DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)',
      ),
    ['migrations problem'],
  ],
  [
    'a newer database',
    () =>
      change(
        `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
         SELECT 'later', checksum, finished_at, '29990101000000_later', started_at, applied_steps_count FROM _prisma_migrations`,
      ),
    ['migrations problem'],
  ],
  [
    'rows that refer to nothing',
    () => change(`PRAGMA foreign_keys = OFF; DELETE FROM Workspace WHERE slug = 'empty'`),
    ['database problem'],
  ],
  [
    'what a killed import left',
    () => writeFileSync(`${file}.import-AAAAAAAAAAAAAAAA`, ''),
    ['database warning'],
  ],
])('it finds %s', async (_, damage, expected) => {
  damage()
  expect((await examine()).bad).toEqual(expected)
})

test('the size of a database counts its -wal', async () => {
  const writer = new Sqlite(file)
  writer.pragma('wal_autocheckpoint = 0')
  writer.exec('CREATE TABLE "Filler" AS SELECT zeroblob(8 * 1024 * 1024) AS "bytes"')
  const log = statSync(`${file}-wal`).size
  const whole = ((statSync(file).size + log) / 1024 ** 2).toFixed(1)
  const { findings } = await examine()
  writer.close()
  expect(log).toBeGreaterThan(8 * 1024 * 1024)
  expect(findings.find(({ check }) => check === 'database')?.finding).toContain(`: ${whole} MiB`)
})

test('of a wrong secret it says what to do, and which kept one is the right one', async () => {
  const advised = async () => {
    const { findings } = await examine()
    return findings.find(({ check, state }) => check === 'secret' && state === 'problem')?.advice
  }
  const right = readFileSync(`${file}.secret`)
  writeFileSync(`${file}.secret`, 'x'.repeat(43))
  expect(await advised()).toMatch(/put .* back into .*\.secret.*set SALEPROOF_SECRET/)
  const kept = `${file}.secret.before-rotation-20260101000000000`
  writeFileSync(kept, right, { mode: 0o600 })
  const advice = await advised()
  expect(advice).toBe(`run: cp ${kept} ${file}.secret`)
  copyFileSync(kept, `${file}.secret`)
  expect((await examine()).bad).toEqual([])
})

test('it names every wrong variable, and no value', async () => {
  const env = {
    SALEPROOF_SECRET: 'canary',
    PORT: 'canary',
    ADMIN_TOKEN: 'canary',
    SALEPROOF_RATELIMIT: 'canary',
    PUBLIC_URL: 'https://shop.example',
  }
  const { bad, text } = await examine(env)
  expect(bad).toEqual([...Array(3).fill('configuration problem'), 'configuration warning'])
  expect(text).not.toContain('canary')
  expect(text).toContain('SALEPROOF_RATELIMIT')
  expect((await examine({ DATABASE_URL: 'mysql://canary' })).bad).toEqual(['configuration problem'])
  const given = await examine({ SALEPROOF_SECRET: 'canary'.repeat(6) })
  expect(given.bad).toEqual(['secret problem', 'secret warning'])
  for (const secret of ['canary', secretKey, 'ada@example.com']) expect(given.text).not.toContain(secret)
})
