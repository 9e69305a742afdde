import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@saleproof/schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { send } from '../support/client.ts'
import { createBrowser } from '../support/console-client.ts'
import { onPostgres } from '../support/database.ts'
import { temporaryFolder } from '../support/harness.ts'
import { spawnSaleproof, spawnServe } from '../support/process.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(() => folder.remove())

test('a first start makes the database and its secret, for this user alone, and a SIGTERM ends it with 0', async () => {
  const { url, done, signal, output } = await spawnServe({ cwd: folder.folder })
  expect((await send(url, { path: '/readyz' })).status).toBe(200)
  const files = onPostgres ? [] : ['data/saleproof.db', 'data/saleproof.db.secret']
  for (const file of files) expect((await stat(join(folder.folder, file))).mode & 0o777).toBe(0o600)
  expect(output.stderr).toContain(`listening on ${url}\n`)
  const began = Date.now()
  signal('SIGTERM')
  expect((await done).code).toBe(0)
  expect(Date.now() - began).toBeLessThan(8500)
  await expect(send(url, { path: '/healthz' })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('another secret than the one that the database was made with is refused', async () => {
  const at = (env: Record<string, string>) => spawnSaleproof(['key', 'list'], { cwd: folder.folder, env })
  expect((await at({ SALEPROOF_SECRET: 'a'.repeat(32) })).code).toBe(0)
  expect(existsSync(join(folder.folder, 'data/saleproof.db.secret'))).toBe(false)
  for (const args of [['serve'], ['key', 'list'], ['export']]) {
    const env = { SALEPROOF_SECRET: 'b'.repeat(32), PORT: '0' }
    const { code, stdout, stderr } = await spawnSaleproof(args, { cwd: folder.folder, env })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^SALEPROOF_SECRET is not the one that this database was made with[^\n]*\n$/)
    expect(stderr).not.toContain('bbbb')
  }
  expect((await at({})).code).toBe(1)
  expect((await at({ SALEPROOF_SECRET: 'a'.repeat(32) })).code).toBe(0)
})

test('the demo is loaded into an empty database, and only there and then', async () => {
  const first = await spawnServe({ cwd: folder.folder }, ['--demo'])
  while (!first.output.stderr.includes('curl')) await sleep(10)
  const [, address, key, code] = /curl (\S+) -H 'Authorization: Bearer (\S+)' -d purchase_code=(\S+)/.exec(
    first.output.stderr,
  )!
  expect(address).toBe(`${first.url}${operations.validatePurchase.path}`)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' }
  const path = operations.validatePurchase.path
  const answer = await send(first.url, { method: 'POST', path, headers, body: `purchase_code=${code}` })
  expect(answer.status).toBe(200)
  const [, console, login = '', password = ''] =
    /^The console: (\S+), with the name (\S+) and the first password (\S+)$/m.exec(first.output.stderr)!
  expect(console).toBe(`${first.url}/console`)
  expect((await createBrowser(first.url).signIn(login, password)).workspaces).toHaveLength(1)
  first.signal('SIGTERM')
  await first.done

  const second = await spawnServe({ cwd: folder.folder }, ['--demo'])
  expect((await send(second.url, { path: operations.listItems.path, headers })).status).toBe(200)
  second.signal('SIGTERM')
  // It loads nothing again, and shows the same key and line.
  const curl = (text: string) => /^curl .*$/m.exec(text)?.[0].replace(/http:\/\/\S+?\/api/, '')
  expect(curl((await second.done).stderr)).toBe(curl(first.output.stderr))
})

test('no demo is loaded in production', async () => {
  const { done, signal } = await spawnServe({ cwd: folder.folder, env: { NODE_ENV: 'production' } }, [
    '--demo',
  ])
  signal('SIGTERM')
  expect((await done).stderr).not.toContain('curl')
  const list = await spawnSaleproof(['key', 'list', '--json'], { cwd: folder.folder })
  expect(JSON.parse(list.stdout)).toEqual([])
})
