import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { plainEnvironment, run, runSync, serve } from '@saleproof/process'
import { installRuntimes } from '@saleproof/sdk-runtimes/src/runtimes.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folderSize, installedPackages, installTarballs } from './install.ts'
import { read, root } from './repository.ts'
import { packFrom } from './tarball.ts'

// The packed tarballs, installed by npm into an empty folder as a deployer does, and run there: no build step, no repository.

const own = ['@saleproof/api', '@saleproof/schema']

let folder: string
let application: string
let runtimes: string

beforeAll(() => {
  runtimes = installRuntimes()
  folder = mkdtempSync(join(tmpdir(), 'saleproof-installed-'))
  application = join(folder, 'application')
  const tarballs = (['@saleproof/schema', '@saleproof/api'] as const).map((name) =>
    packFrom(root, name, folder),
  )
  installTarballs(tarballs, { folder: application, node: node('node24') })
})

afterAll(() => {
  if (folder) rmSync(folder, { recursive: true, force: true })
})

const node = (name: string) => join(runtimes, `node_modules/${name}/bin/node`)
const saleproof = () => join(application, 'node_modules/@saleproof/api/bin/saleproof.js')

test('no installed package has an install script', () => {
  const scripted = [...installedPackages(application)].filter(([, { hasInstallScript }]) => hasInstallScript)
  expect(scripted.map(([path]) => path)).toEqual([])
})

test('nothing is installed twice, and no development dependency', () => {
  const names = [...installedPackages(application).keys()]
  const twice = (name: string) =>
    names.filter((path) => path === name || path.endsWith(`/node_modules/${name}`))
  // Each is megabytes.
  for (const name of ['better-sqlite3', 'valibot', '@opentelemetry/api'])
    expect(twice(name).length).toBeLessThan(2)
  expect(names.filter((path) => /(^|\/)(@prisma\/|prisma$|typescript$|@types\/)/.test(path))).toEqual([])
})

test('what builds only in the repository is not in the package', () => {
  const deploy = readdirSync(join(application, 'node_modules/@saleproof/api/deploy'))
  expect(deploy).not.toContain('Dockerfile')
  expect(deploy.filter((name) => name.startsWith('compose'))).toEqual([])
})

test('the commands of deployment.md make a first account, workspace and key', async () => {
  const [, section = ''] =
    /\n## One file on one machine\n([\s\S]*?)\n## /.exec(read('apps/api/docs/deployment.md')) ?? []
  const lines = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  )
  const typed = lines.filter((line) => line.startsWith('npx @saleproof/api ') && !line.endsWith(' serve'))
  expect(typed.map((line) => line.split(' ').slice(2, 4).join(' '))).toEqual([
    'account create',
    'workspace create',
    'key create',
    'doctor',
  ])
  const env = { PATH: `${dirname(node('node24'))}:${process.env.PATH}`, DATABASE_URL: 'file:./first/shop.db' }
  for (const line of typed) {
    const done = await run(['sh', '-c', `echo 'a long password' | ${line}`], { cwd: application, env })
    expect([line, done.code, done.stderr]).toEqual([line, 0, done.stderr])
  }
})

test('deployment.md states the number and size of the packages', () => {
  const [, count, size] = /puts (\d+) packages and (\d+) MB/.exec(read('apps/api/docs/deployment.md')) ?? []
  const others = [...installedPackages(application).keys()].filter((path) => !own.includes(path))
  const megabytes = folderSize(join(application, 'node_modules')) / 1e6
  const found = `${others.length} packages, ${megabytes.toFixed(0)} MB`
  console.log(found)
  // What one more dependency adds is not worth a change of the page; what a heavy one adds is.
  expect(Math.abs(others.length / Number(count) - 1), `the page should state ${found}`).toBeLessThan(0.15)
  expect(Math.abs(megabytes / Number(size) - 1), `the page should state ${found}`).toBeLessThan(0.15)
})

async function validate(url: string, key: string, code: string) {
  const response = await fetch(`${url}/api/purchases/validation`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: new URLSearchParams({ purchase_code: code }),
  })
  return { status: response.status, body: await response.json() }
}

const statusOf = async (url: string) => {
  const response = await fetch(url)
  await response.arrayBuffer()
  return response.status
}

describe.each(['node22.14', 'node22', 'node24', 'node26'])('on %s, in an empty folder', (name) => {
  let empty: string
  let [key, code] = ['', '']
  const command = (...args: string[]) => [node(name), saleproof(), ...args] as [string, ...string[]]

  beforeAll(() => {
    empty = mkdtempSync(join(folder, 'empty-'))
  })

  test('demo, serve, a request, the documents, a backup, SIGTERM', async () => {
    const demo = await run(command('demo'), { cwd: empty })
    expect(demo.code).toBe(0)
    key = demo.stdout.trim()
    code = /valid purchase code: (\S+)/.exec(demo.stderr)?.[1] ?? ''

    const server = await serve(command('serve'), { cwd: empty, env: { PORT: '0', WEB_CONCURRENCY: '2' } })
    try {
      expect(await validate(server.url, key, code)).toMatchObject({
        status: 200,
        body: { status: 'success', data: { purchase: { purchase_code: code } } },
      })
      expect(await validate(server.url, key, 'none-such-code')).toMatchObject({ status: 404 })
      for (const path of [
        'readyz',
        'openapi.json',
        'docs',
        'docs/errors',
        'docs/docs.css',
        'docs/saleproof.php',
      ])
        expect([path, await statusOf(`${server.url}/${path}`)]).toEqual([path, 200])
      const backup = await run(command('backup', 'copy.backup'), { cwd: empty })
      expect(backup.code).toBe(0)
    } finally {
      expect(await server.stop()).toBe(0)
    }
    expect(await run(command('restore', 'copy.backup'), { cwd: empty })).toMatchObject({ code: 0 })
  })

  // Those between the oldest and the newest of them, one of which is the repository's own, differ in nothing that Prisma reads.
  if (['node22.14', 'node26'].includes(name))
    test('the responses of Prisma', async () => {
      const env = { PORT: '0', WEB_CONCURRENCY: '1', SALEPROOF_FAST_PATH: 'off' }
      const server = await serve(command('serve'), { cwd: empty, env })
      try {
        expect(await validate(server.url, key, code)).toMatchObject({ status: 200 })
      } finally {
        expect(await server.stop()).toBe(0)
      }
    })
})

test('a Node.js that is too old gets a clear error', async () => {
  const { code, stderr } = await run([node('node22.13'), saleproof(), 'serve'], { cwd: folder })
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^saleproof needs Node\.js 24 or newer, or 22 from 22\.14 on; this is 22\.13\.\d+\. Install a newer/,
  )
  expect(existsSync(join(folder, 'data'))).toBe(false)
})

test('npx finds the command', () => {
  const env = plainEnvironment(node('node24'))
  const version = runSync(['npx', '--no-install', 'saleproof', '--version'], { cwd: application, env })
  expect(version.trim()).toBe(JSON.parse(read('apps/api/package.json')).version)
})
