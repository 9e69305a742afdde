import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from '../support/client.ts'
import { saleproof, serve } from '../support/command.ts'
import { accountText } from '../support/expected.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { codes, records, secretKey } from '../support/records.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let service: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  folder = await temporaryFolder()
  const file = join(folder.folder, 'catalogue.ndjson')
  await writeFile(file, ndjson(records))
  expect((await run('import', 'catalogue.ndjson')).code).toBe(0)
  service = await serve({ cwd: folder.folder })
})
afterAll(async () => {
  expect(await service.stop()).toBe(0)
  await folder.remove()
})

const run = (...args: string[]) => saleproof(args, { cwd: folder.folder })
const statusOf = async (key: string, path: string = operations.getAccount.path) =>
  (await send(service.url, { path, headers: { 'x-api-key': key } })).status
const validate = async (key: string, purchase_code: string) => {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const body = JSON.stringify({ purchase_code })
  return (await send(service.url, { method: 'POST', path: operations.validatePurchase.path, headers, body }))
    .status
}

test('what was imported is served', async () => {
  const answer = await send(service.url, {
    path: operations.getAccount.path,
    headers: { 'x-api-key': secretKey },
  })
  expect(answer.text).toBe(accountText)
})

test('doctor says what the logs have for an id that a caller sent', async () => {
  const id = 'an-id-of-the-caller'
  await send(service.url, { path: '/healthz', headers: { 'x-request-id': id } })
  const { code, stdout } = await run('doctor', 'request-id', id)
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^[\w-]{16}\n$/)])
  expect(service.output.stdout).toContain(`.${stdout.trim()}"`)
  expect(service.output.stdout).not.toContain(id)
})

describe('keys', () => {
  test('a new key stands alone on standard output, works at once, is shown again, and stops when revoked', async () => {
    const made = await run('key', 'create', '--workspace', 'ada-studio', '--name', 'shop')
    expect(made.code).toBe(0)
    expect(made.stdout).toMatch(/^sp_[0-9A-Za-z]{38}\n$/)
    const key = made.stdout.trim()
    expect(made.stderr).not.toContain(key)
    const id = /key (\w{16}) /.exec(made.stderr)![1]!
    expect(await statusOf(key)).toBe(200)

    expect(await run('key', 'show', id)).toMatchObject({ code: 0, stdout: made.stdout })
    const revoked = await run('key', 'revoke', id)
    expect(revoked).toMatchObject({ code: 0, stdout: '' })
    expect(await statusOf(key)).toBe(401)
    expect(await run('key', 'revoke', id)).toMatchObject({ code: 0, stdout: '' })
    expect(await statusOf(key)).toBe(401)
  })

  test('a publishable key validates, for the items that it is bound to', async () => {
    const made = await run(
      'key',
      'create',
      '--workspace',
      'ada-studio',
      '--publishable',
      '--items',
      '101, 102',
    )
    const key = made.stdout.trim()
    expect(await statusOf(key)).toBe(403)
    expect(await validate(key, codes.active)).toBe(200)
    expect(await validate(key, codes.video)).toBe(200)
    expect(await validate(key, codes.audio)).toBe(404)
  })

  test('a key is rotated: the new one is printed, and the old one ends', async () => {
    const made = await run('key', 'create', '--workspace', 'bob-works', '--name', 'turned')
    const id = /key (\S+) of/.exec(made.stderr)?.[1] ?? ''
    const rotated = await run('key', 'rotate', id, '--ends', '2999-01-31T00:00:00Z')
    expect(rotated).toMatchObject({ code: 0, stdout: expect.stringMatching(/^sp_[0-9A-Za-z]{38}\n$/) })
    const rows = JSON.parse((await run('key', 'list', '--json')).stdout)
    const successor = rows.find(({ replaces }: { replaces: string | null }) => replaces === id)
    expect(successor).toMatchObject({
      name: 'turned',
      last_four: rotated.stdout.trim().slice(-4),
      expires: null,
    })
    expect(rows.find((row: { id: string }) => row.id === id).expires).toBe('2999-01-31T00:00:00Z')
    expect(await run('key', 'rotate', id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has a successor already'),
    })
    const later = await run('key', 'rotate', successor.id)
    expect(later.code).toBe(0)
    const ends = JSON.parse((await run('key', 'list', '--json')).stdout).find(
      (row: { id: string }) => row.id === successor.id,
    ).expires
    expect((Date.parse(ends) - Date.now()) / 86_400_000).toBeCloseTo(7, 1)
  })

  test('a list shows everything but the keys', async () => {
    const expires = '2999-01-31T01:00:00+01:00'
    const made = await run(
      'key',
      'create',
      '--workspace',
      'bob-works',
      '--name',
      'later',
      '--expires',
      expires,
    )
    const json = await run('key', 'list', '--json')
    expect(json).toMatchObject({ code: 0, stderr: '' })
    const rows = JSON.parse(json.stdout)
    const fields = [
      'id',
      'name',
      'kind',
      'workspace',
      'created',
      'expires',
      'revoked',
      'last_used',
      'last_four',
      'replaces',
    ]
    for (const row of rows) expect(Object.keys(row)).toEqual(fields)
    expect(rows.find(({ name }: { name: string }) => name === 'later')).toMatchObject({
      kind: 'secret',
      workspace: 'bob-works',
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      expires: '2999-01-31T00:00:00Z',
      revoked: null,
      last_four: made.stdout.trim().slice(-4),
    })
    expect(rows.find(({ name }: { name: string }) => name === 'leaked').revoked).toBe('2024-01-01T00:00:00Z')
    expect(rows.find(({ name }: { name: string }) => name === 'plugin').kind).toBe('publishable')
    const table = await run('key', 'list')
    expect(table.stdout.split('\n')[0]).toMatch(
      /^id +name +kind +workspace +created +expires +revoked +last used +last four +replaces$/,
    )
    for (const output of [json.stdout, table.stdout])
      for (const key of [secretKey, made.stdout.trim()]) expect(output).not.toContain(key)
  })

  test.each([
    ['create', '--workspace', 'nowhere'],
    ['create', '--workspace', 'ada-studio', '--items', '101'],
    ['create', '--workspace', 'ada-studio', '--publishable', '--items', '201'],
    ['create', '--workspace', 'ada-studio', '--expires', '2020-01-01T00:00:00Z'],
    ['show', 'AAAAAAAAAAAAAAAA'],
    ['revoke', 'AAAAAAAAAAAAAAAA'],
    ['rotate', 'AAAAAAAAAAAAAAAA'],
  ])('key %s %s %s fails with one line', async (...args) => {
    const { code, stdout, stderr } = await run('key', ...args.filter((arg) => arg !== undefined))
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^[^\n]+\n$/)
  })
})

test('a workspace is made once', async () => {
  const args = [
    'workspace',
    'create',
    '--owner',
    'bob',
    '--slug',
    'bob-two',
    '--name',
    'Bob Two',
    '--locale',
    'pt',
  ]
  expect(await run(...args)).toMatchObject({ code: 0, stdout: '' })
  const again = await run(...args)
  expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/^[^\n]*bob-two[^\n]*\n$/)])
  const key = (await run('key', 'create', '--workspace', 'bob-two')).stdout.trim()
  const none = await send(service.url, { path: operations.listItems.path, headers: { 'x-api-key': key } })
  expect(none.text).toBe('{"status":"error","msg":"Nenhum item encontrado"}')
  const unknownOwner = await run('workspace', 'create', '--owner', 'nobody', '--slug', 'x', '--name', 'X')
  expect([unknownOwner.code, unknownOwner.stdout]).toEqual([1, ''])
})

test('an item is removed, with its purchases only when that is asked for', async () => {
  const path = `${operations.getItem.path}?item_id=102`
  const refused = await run('item', 'remove', '102')
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toBe('item 102 has 1 purchases: add --with-purchases to remove them too\n')
  expect(await statusOf(secretKey, path)).toBe(200)
  expect((await run('item', 'remove', '102', '--with-purchases')).code).toBe(0)
  expect(await statusOf(secretKey, path)).toBe(404)
  expect(await validate(secretKey, codes.video)).toBe(404)
  expect((await run('item', 'remove', '102')).code).toBe(1)
})

test('migrations: none is pending, and nothing happens when they are applied again', async () => {
  const status = await run('migrate', '--status')
  expect(status.code).toBe(0)
  expect(status.stdout).toMatch(/^(applied {2}\d{14}_\w+\n)+$/)
  const again = await run('migrate')
  expect([again.code, again.stdout]).toEqual([0, ''])
})

test('an export loads again and changes nothing', async () => {
  const exported = await run('export')
  expect([exported.code, exported.stderr]).toEqual([0, ''])
  expect(exported.stdout).toContain(`"key":"${secretKey}"`)
  const loaded = await saleproof(['import', '-'], { cwd: folder.folder, input: exported.stdout })
  expect([loaded.code, loaded.stdout]).toEqual([0, ''])
  expect(loaded.stderr).not.toMatch(/[1-9]\d* (created|updated)/)
  expect((await run('export')).stdout).toBe(exported.stdout)
})

test('an import that is wrong names the line and stores nothing', async () => {
  const bad = ndjson([
    { type: 'workspace', slug: 'new-one', name: 'N', owner: 'ada' },
    { type: 'item', id: 1 },
  ])
  const { code, stdout, stderr } = await saleproof(['import', '-'], { cwd: folder.folder, input: bad })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^line 2: /)
  expect((await run('key', 'create', '--workspace', 'new-one')).code).toBe(1)
  expect(await run('import', 'no-such-file')).toMatchObject({ code: 1, stdout: '' })
})

test.each([
  [['nonsense']],
  [['key', 'create']],
  [['item', 'remove', 'x']],
  [['import']],
  [['serve', '--no-such']],
])('%j is wrong usage', async (args) => {
  const { code, stdout, stderr } = await run(...args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).not.toBe('')
})

test('help and version are results', async () => {
  expect(await run('--help')).toMatchObject({ code: 0, stderr: '' })
  expect(await run('--version')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  })
})
