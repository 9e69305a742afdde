import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { operations } from '@saleproof/schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { exchange, send } from '../support/client.ts'
import { createBrowser } from '../support/console-client.ts'
import { onPostgres } from '../support/database.ts'
import { packageRoot } from '../support/folders.ts'
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
  expect(Date.now() - began).toBeLessThan(5000)
  await expect(send(url, { path: '/healthz' })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('the start names a variable that it does not read', async () => {
  const env = { SALEPROOF_LOCAL: 'de' }
  const { done, signal, output } = await spawnServe({ cwd: folder.folder, env })
  expect(output.stderr).toContain('warning: SALEPROOF_LOCAL is set, and nothing reads it: check its name\n')
  signal('SIGTERM')
  expect((await done).code).toBe(0)
})

test('an open connection does not keep it from ending, nor does a second signal', async () => {
  const { url, done, signal } = await spawnServe({ cwd: folder.folder })
  await fetch(`${url}/healthz`)
  signal('SIGTERM')
  await sleep(50)
  signal('SIGTERM')
  const began = Date.now()
  expect((await done).code).toBe(0)
  expect(Date.now() - began).toBeLessThan(5000)
})

test('an unread log keeps it neither from responding nor from ending', async () => {
  const { url, signal, stopReading } = await spawnServe({ cwd: folder.folder })
  const exited = stopReading()
  // A megabyte of lines: more than the system keeps between two processes.
  const requests = Array.from({ length: 5000 }).keys()
  const caller = async () => {
    for (const _ of requests) {
      const answer = await fetch(`${url}${operations.getAccount.path}`)
      expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([401, expect.any(Number)])
    }
  }
  await Promise.all(Array.from({ length: 16 }, caller))
  expect((await send(url, { path: '/readyz' })).status).toBe(200)
  const began = Date.now()
  signal('SIGTERM')
  expect(await exited).toBe(0)
  expect(Date.now() - began).toBeLessThan(10_000)
})

test('a wrong configuration lists every problem, a line each, and starts nothing', async () => {
  const env = { PORT: 'x', SALEPROOF_LOCALE: 'de', SALEPROOF_SECRET: 'short-secret' }
  const { code, stdout, stderr } = await spawnSaleproof(['serve'], { cwd: folder.folder, env })
  expect([code, stdout]).toEqual([2, ''])
  expect(
    stderr
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]),
  ).toEqual(['PORT', 'SALEPROOF_SECRET', 'SALEPROOF_LOCALE'])
  expect(stderr).not.toContain('short-secret')
  expect(await readdir(folder.folder)).toEqual([])
})

test('a taken port is one clear line', async () => {
  const { url, done, signal } = await spawnServe({ cwd: folder.folder })
  const { port } = new URL(url)
  const env = { PORT: port, WEB_CONCURRENCY: '1' }
  const second = await spawnSaleproof(['serve'], { cwd: folder.folder, env })
  expect(second.code).toBe(1)
  expect(second.stderr).toMatch(new RegExp(`^port ${port} of 127\\.0\\.0\\.1 is in use: [^\\n]+\\n$`))
  signal('SIGTERM')
  await done
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
    /^The console: (\S+), with the name (\S+) and the password (\S+)$/m.exec(first.output.stderr)!
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

test('an invalid absolute URL, and what is in it, is not printed', async () => {
  const { url, done, signal } = await spawnServe({ cwd: folder.folder })
  for (const target of ['http://[::1/readyz?api_key=CANARY', 'http://h:port/readyz?api_key=CANARY'])
    expect(await exchange(url, `GET ${target} HTTP/1.1\r\nHost: h\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /)
  signal('SIGTERM')
  const { code, stdout, stderr } = await done
  expect([code, stderr]).toEqual([0, expect.not.stringMatching(/CANARY|Warning/)])
  expect(stdout).not.toContain('CANARY')
})

test('the demo command prints its key alone', async () => {
  const { code, stdout } = await spawnSaleproof(['demo'], { cwd: folder.folder })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^sp_\w+\n$/)
})

test('a Node.js that is too old gets one clear line', async () => {
  // What decides is the version that the process says it is: the file is read by old versions as by this one.
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' })`
  const file = join(packageRoot, 'bin/saleproof.js')
  const old = promisify(execFile)(
    process.execPath,
    ['--import', `data:text/javascript,${pretend}`, file, 'serve'],
    {
      cwd: folder.folder,
    },
  )
  await expect(old).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^saleproof needs Node\.js 24 or newer, or 22 from 22\.14 on; this is 20\.20\.2\.[^\n]+\n$/,
    ),
  })
})
