import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '@saleproof/schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { send } from '../support/client.ts'
import { saleproof, serve } from '../support/command.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { codes, publishableKey, records, revokedKey, secretKey } from '../support/records.ts'

let home: Awaited<ReturnType<typeof temporaryFolder>>
let file: string
beforeEach(async () => {
  home = await temporaryFolder()
  file = join(home.folder, 'data/saleproof.db')
})
afterEach(() => home.remove())

interface Options {
  env?: Record<string, string>
  input?: string
}

const run = (args: readonly string[], options: Options = {}) =>
  saleproof(args, { cwd: home.folder, ...options })
const load = (options: Options = {}) => run(['import', '-'], { ...options, input: ndjson(records) })
const rotate = (args: readonly string[] = [], options: Options = {}) =>
  run(['secret', 'rotate', ...args], options)
const secretOf = (name = `${file}.secret`) => readFileSync(name, 'utf8').trim()
const [first, second] = ['x', 'y'].map((letter) => letter.repeat(40)) as [string, string]

/** What a few keys of every kind are answered. */
async function answers(env: Record<string, string> = {}) {
  const service = await serve({ cwd: home.folder, env })
  const texts: string[] = []
  for (const key of [secretKey, publishableKey, revokedKey]) {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const body = JSON.stringify({ purchase_code: codes.active })
    const requests = [
      { path: operations.listItems.path, headers: { 'x-api-key': key } },
      { method: 'POST', path: operations.validatePurchase.path, headers, body },
    ]
    for (const request of requests) {
      const { status, text, headers: given } = await send(service.url, request)
      texts.push(`${status} ${given['x-error-code'] ?? ''} ${text}`)
    }
  }
  await service.stop()
  return texts
}

test('after a rotation everything is answered as before, and the secret of before is refused', async () => {
  await load()
  const before = await answers()
  const old = secretOf()
  const rotated = await rotate()
  expect([rotated.code, rotated.stdout]).toEqual([0, ''])
  expect(rotated.stderr).toMatch(
    /^\d+ keys are encrypted with the new secret, and all of them keep working\n/,
  )
  expect(rotated.stderr).not.toContain(old)
  expect(rotated.stderr).not.toContain(secretOf())
  const kept = /the old secret is in (\S+):/.exec(rotated.stderr)![1]!
  expect([secretOf(kept), secretOf() === old]).toEqual([old, false])
  expect(await answers()).toEqual(before)
  for (const args of [['audit', 'list'], ['doctor'], ['export']]) expect((await run(args)).code).toBe(0)
  expect(await run(['key', 'list'], { env: { SALEPROOF_SECRET: old } })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'SALEPROOF_SECRET is not the one that this database was made with: start with that one\n',
  })
})

test('it is refused while something serves, and where there is nothing to rotate', async () => {
  expect(await rotate()).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no database') })
  expect(readdirSync(home.folder)).toEqual([])
  await load()
  const old = secretOf()
  const service = await serve({ cwd: home.folder })
  const refused = await rotate()
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/^the database \S+ is in use: [^\n]*\n$/),
  ])
  expect(secretOf()).toBe(old)
  await service.stop()
  expect((await rotate()).code).toBe(0)
})

test('with SALEPROOF_SECRET it says how, and takes the new one from a file or standard input', async () => {
  const env = { SALEPROOF_SECRET: first }
  await load({ env })
  const before = await answers(env)
  const refused = await rotate([], { env })
  expect([refused.code, refused.stdout, refused.stderr]).toEqual([
    2,
    '',
    expect.stringContaining('secret rotate --to FILE'),
  ])
  for (const input of ['', 'short', `${second}\n${second}`, 'z'.repeat(5000), `${second}\0`])
    expect((await rotate(['--to', '-'], { env, input })).code, input.slice(0, 20)).toBe(2)
  expect((await rotate(['--to', 'no-such-file'], { env })).stderr).toMatch(
    /^the new secret cannot be read from/,
  )
  expect((await rotate(['--to', '-'], { env, input: first })).code).toBe(1)

  const rotated = await rotate(['--to', '-'], { env, input: `${second}\n` })
  expect([rotated.code, rotated.stderr]).toEqual([
    0,
    expect.stringMatching(/set SALEPROOF_SECRET to the new secret now/),
  ])
  expect((await run(['key', 'list'], { env })).stderr).toContain('SALEPROOF_SECRET is not the one')
  expect(await answers({ SALEPROOF_SECRET: second })).toEqual(before)
  writeFileSync(join(home.folder, 'new'), second)
  const again = await rotate(['--to', 'new'], { env })
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('already uses the new secret')])
  expect(readdirSync(join(home.folder, 'data')).filter((name) => name.includes('secret'))).toEqual([])
  for (const { stderr } of [refused, rotated, again]) expect(stderr).not.toMatch(/x{40}|y{40}/)
})

test('a backup from before a rotation says which secret it needs, and is restored with that one', async () => {
  await load()
  await run(['backup', 'copy.backup'])
  const old = secretOf()
  await rotate()
  const refused = await run(['restore', 'copy.backup'])
  expect(refused.code).toBe(1)
  const kept = /^\S.* made with: (\S+\.before-rotation-\d{17}) is: put that one in its place/.exec(
    refused.stderr,
  )![1]!
  expect(secretOf(kept)).toBe(old)
  renameSync(`${file}.secret`, `${file}.secret.of-later`)
  renameSync(kept, `${file}.secret`)
  expect((await run(['restore', 'copy.backup', '--force'])).code).toBe(0)
  for (const args of [['audit', 'list'], ['doctor'], ['export']]) expect((await run(args)).code).toBe(0)
})

test('a rotation that was interrupted is seen by doctor, and ended by what comes next', async () => {
  await load()
  const old = secretOf()
  await rotate()
  const [current, kept] = [
    secretOf(),
    readdirSync(join(file, '..')).find((name) => name.includes('before-rotation'))!,
  ]
  const interrupt = () => {
    renameSync(`${file}.secret`, `${file}.secret.next`)
    writeFileSync(`${file}.secret`, `${old}\n`, { mode: 0o600 })
  }
  const findings = async () =>
    (
      JSON.parse((await run(['doctor', '--json'])).stdout) as {
        check: string
        state: string
        finding: string
      }[]
    )
      .filter(({ state }) => state !== 'ok')
      .map(({ check, state, finding }) => `${check} ${state} ${finding.replace(file, '')}`)
  interrupt()
  expect(await findings()).toEqual(['secret warning the rotation to .secret.next was interrupted'])
  expect((await run(['backup', 'one.backup'])).stderr).not.toContain('recorded')
  expect((await run(['restore', 'one.backup'])).code).toBe(0)
  expect([secretOf(), await findings()]).toEqual([current, []])
  interrupt()
  expect((await run(['key', 'list'])).code).toBe(0)
  expect([secretOf(), await findings()]).toEqual([current, []])
  expect(secretOf(join(file, '..', kept))).toBe(old)
  writeFileSync(`${file}.secret.next`, `${second}\n`, { mode: 0o600 })
  expect(await findings()).toEqual([
    'secret warning .secret.next was left by a rotation that changed nothing',
  ])
})
