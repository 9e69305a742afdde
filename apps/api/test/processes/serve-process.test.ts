import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { operations } from '@saleproof/schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { exchange, parseAnswers, send } from '../support/client.ts'
import { packageRoot } from '../support/folders.ts'
import { temporaryFolder } from '../support/harness.ts'
import { spawnSaleproof, spawnServe } from '../support/process.ts'

// What `serve` says, and how it ends, whatever its database.

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(() => folder.remove())

test('the start names a variable that it does not read once, whatever the number of processes', async () => {
  const env = { SALEPROOF_LOCAL: 'de', WEB_CONCURRENCY: '2' }
  const { done, signal, output } = await spawnServe({ cwd: folder.folder, env })
  expect(output.stderr.match(/.*SALEPROOF_LOCAL.*\n/g)).toEqual([
    'warning: SALEPROOF_LOCAL is set, and nothing reads it: check its name\n',
  ])
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
  expect(Date.now() - began).toBeLessThan(8500)
})

test('an unread log keeps it neither from responding nor from ending', async () => {
  const { url, signal, stopReading } = await spawnServe({ cwd: folder.folder })
  const exited = stopReading()
  // A megabyte of lines: more than the system keeps between two processes.
  const request = `GET ${operations.getAccount.path} HTTP/1.1\r\nHost: h\r\n`
  const sent = `${`${request}\r\n`.repeat(499)}${request}Connection: close\r\n\r\n`
  for (let connections = 0; connections < 10; connections++) {
    const answers = parseAnswers(await exchange(url, sent))
    expect(answers).toHaveLength(500)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
  }
  expect((await send(url, { path: '/readyz' })).status).toBe(200)
  const began = Date.now()
  signal('SIGTERM')
  expect(await exited).toBe(0)
  expect(Date.now() - began).toBeLessThan(20_000)
})

test('a wrong configuration lists every problem, a line each, and starts nothing', async () => {
  const env = { PORT: 'x', SALEPROOF_LOCALE: 'de', SALEPROOF_SECRET: 'short-secret', SALEPROOF_SECERT: 'x' }
  const { code, stdout, stderr } = await spawnSaleproof(['serve'], { cwd: folder.folder, env })
  expect([code, stdout]).toEqual([2, ''])
  expect(
    stderr
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]),
  ).toEqual(['warning:', 'PORT', 'SALEPROOF_SECRET', 'SALEPROOF_LOCALE'])
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

test('an invalid absolute URL, and what is in it, is not printed', async () => {
  const { url, done, signal } = await spawnServe({ cwd: folder.folder })
  for (const target of ['http://[::1/readyz?api_key=CANARY', 'http://h:port/readyz?api_key=CANARY'])
    expect(await exchange(url, `GET ${target} HTTP/1.1\r\nHost: h\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /)
  signal('SIGTERM')
  const { code, stdout, stderr } = await done
  expect([code, stderr]).toEqual([0, expect.not.stringMatching(/CANARY|Warning/)])
  expect(stdout).not.toContain('CANARY')
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
