import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { saleproof } from '../support/command.ts'
import { onPostgres } from '../support/database.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import {
  boundKey,
  codes,
  otherKey,
  portugueseKey,
  publishableKey,
  records,
  secretKey,
} from '../support/records.ts'

let home: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  home = await temporaryFolder()
  expect((await run(['import', '-'], ndjson(records))).code).toBe(0)
})
afterAll(() => home.remove())

const keys = [secretKey, otherKey, publishableKey, boundKey, portugueseKey]
const run = (args: readonly string[], input = '', cwd = home.folder) => saleproof(args, { cwd, input })

async function rowsOf(args: readonly string[], input = '') {
  const { code, stdout, stderr } = await run([...args, '--json'], input)
  expect([code, stderr]).toEqual([0, ''])
  for (const secret of [...Object.values(codes), ...keys]) expect(stdout).not.toContain(secret)
  return JSON.parse(stdout)
}

/** The words of a command as a shell reads them. */
const words = (line: string) =>
  execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)

/** Runs a command line as it was printed. */
async function typed(line: string, input = '', cwd = home.folder) {
  const [program, ...args] = words(line)
  expect(program).toBe('saleproof')
  const done = await run(args, input, cwd)
  expect([line, done.stderr, done.code]).toEqual([line, done.stderr, 0])
  return done
}

test('accounts with their workspaces, without their addresses', async () => {
  const rows = await rowsOf(['account', 'list'])
  expect(rows.find(({ username }: { username: string }) => username === 'ada')).toEqual({
    username: 'ada',
    workspaces: 'ada-studio, lisboa',
    password: expect.any(Boolean),
    registered: expect.stringMatching(/Z$/),
  })
  const { stdout } = await run(['account', 'list'])
  expect(stdout).toMatch(/^username +workspaces +password +registered\n/)
  expect(stdout).not.toContain('@')
})

test('workspaces, and what names none says how to list them', async () => {
  const rows = await rowsOf(['workspace', 'list'])
  const ada = { slug: 'ada-studio', owner: 'ada', created: expect.stringMatching(/Z$/) }
  expect(rows).toContainEqual({ ...ada, name: expect.any(String) })
  for (const [args, said] of [
    [
      ['key', 'create', '--workspace', 'nowhere'],
      'there is no workspace nowhere: "workspace list" shows them',
    ],
    [['key', 'show', 'none'], 'there is no key with that id: "key list" shows them'],
    [['item', 'remove', '101'], /^item 101 has \d+ purchases: add --with-purchases to remove them too\n$/],
  ] as const) {
    const { code, stderr } = await run(args)
    expect([code, stderr]).toEqual([1, typeof said === 'string' ? `${said}\n` : expect.stringMatching(said)])
  }
})

test('items of all workspaces, withdrawn ones too', async () => {
  const item = records.find((record) => 'id' in record && record.id === 102)
  await run(['import', '-'], ndjson([{ ...item, withdrawn_at: '2026-01-01T00:00:00Z' }]))
  const all = await rowsOf(['item', 'list'])
  const ids = all.map(({ id }: { id: number }) => id)
  expect(ids).toEqual([...ids].sort((one, other) => one - other))
  expect(all.find(({ id }: { id: number }) => id === 102).withdrawn).toMatch(/Z$/)
})

test('a purchase, by a code that is in no list of processes and not repeated', async () => {
  const pasted = ` ${codes.active.replaceAll('-', '\u2013')} \n`
  for (const code of [codes.active, pasted])
    expect(await rowsOf(['purchase', 'show'], code)).toEqual([
      {
        workspace: 'ada-studio',
        item: 101,
        name: expect.any(String),
        license_type: 'Regular',
        price: expect.any(Number),
        currency: expect.stringMatching(/^[A-Z]{3}$/),
        state: 'active',
        date: expect.stringMatching(/Z$/),
        supported_until: expect.toSatisfy((value) => value === null || value.endsWith('Z')),
        refunded_at: null,
        downloaded: expect.any(Boolean),
        customer_name: null,
        customer_email: null,
        order: null,
        note: null,
        validations: 0,
        last_validated: null,
      },
    ])
  const { code, stdout, stderr } = await run(['purchase', 'show'], 'NONE-0000-0000-CANARY')
  expect([code, stdout, stderr]).toEqual([1, '', 'there is no purchase with that code\n'])
  expect((await run(['purchase', 'show', '--workspace', 'bob-works'], codes.active)).code).toBe(1)
  expect((await run(['purchase', 'show'], '\n')).code).toBe(2)
  expect((await run(['purchase', 'show', codes.active])).stderr).not.toContain(codes.active)
})

test('the help names variables, examples that work, and documents that exist', async () => {
  const { stdout } = await run(['--help'])
  for (const name of [
    'DATABASE_URL',
    'SALEPROOF_SECRET',
    'PORT',
    'PUBLIC_URL',
    'REDIS_URL',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
  ])
    expect(stdout).toContain(name)
  const documents = [...stdout.matchAll(/\S+\.md/g)].map(([path]) => path)
  expect(documents.length).toBeGreaterThan(1)
  for (const path of documents) expect([path, existsSync(path)]).toEqual([path, true])
  const examples = [...stdout.matchAll(/^ {2}(saleproof .*)$/gm)].map(([, line]) => line!)
  expect(examples.length).toBeGreaterThan(3)
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  // The server of the tests keeps nothing safe, and the doctor says so.
  const tried = examples.filter(
    (line) => !line.endsWith(' serve') && !(onPostgres && line.endsWith(' doctor')),
  )
  for (const line of tried) await typed(line, 'a long password\n', folder)
  for (const command of ['serve', 'import', 'key'])
    expect((await run([command, '--help'])).stdout).toMatch(/\/docs\/commands\.md\n$/)
})
