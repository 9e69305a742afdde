import { spawn } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { type CommandOptions, spawnSaleproof, spawnServe } from '../support/process.ts'
import { records } from '../support/records.ts'
import { createHome, databaseIn, serveUnderTraffic } from './serving.ts'

const sales = (name: string, count: number) =>
  Array.from({ length: count }, (_, number) => ({
    ...(records.at(-1) as object),
    item: 101,
    purchase_code: `${name}-${number}-${'x'.repeat(200)}`,
  }))

const newKey = ['key', 'create', '--workspace', 'ada-studio']

/** Everything that is stored, but for when. */
async function stored(options: CommandOptions) {
  const { code, stdout, stderr } = await spawnSaleproof(['export'], options)
  expect(code, stderr).toBe(0)
  return stdout
}

function fill(file: string) {
  for (const size of [1024 * 1024, 64 * 1024, 4096, 1]) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size))
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' })
    }
  }
}

const isRoot = process.getuid?.() === 0

/** A small disk that only the service sees, and that is gone with it. Root may mount one, others where they may map themselves to root. */
function withDisk(folder: string, megabytes: number) {
  const mount = `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && exec "$@"`
  return ['unshare', ...(isRoot ? [] : ['-r']), '-m', 'sh', '-c', mount, folder]
}

/** Where that disk is seen as well. SQLite follows links by itself: to open it by way of /proc leads nowhere. */
const beside = (pid: number) => [
  'nsenter',
  '-t',
  String(pid),
  '-m',
  ...(isRoot ? [] : ['-U', '--preserve-credentials']),
]

test('a full disk: reads are right, what cannot be stored is refused whole, and it goes on when there is room', async () => {
  const { folder, remove } = await temporaryFolder()
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  const env = { DATABASE_URL: `file:${disk}/saleproof.db`, WEB_CONCURRENCY: '1' }
  const service = await serveUnderTraffic({ cwd: folder, env, within: withDisk(disk, 8), load: true })
  const inside = `/proc/${service.pid}/root${disk}`
  const command = { cwd: folder, env, within: beside(service.pid) }
  const before = await stored(command)
  fill(`${inside}/filler`)

  expect(await service.importRecords(sales('full', 20_000))).toMatchObject({
    status: 503,
    code: 'unavailable',
  })
  const full = /^the disk is full: [^\n]+\n$/
  expect(await spawnSaleproof(newKey, command)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(full),
  })
  const input = ndjson(sales('full', 20_000))
  const imported = await spawnSaleproof(['import', '-'], { ...command, input })
  expect(imported).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(full) })
  await service.traffic.until('right')
  expect((await service.readiness()).status).toBe(200)
  expect(service.traffic.count('unavailable')).toBe(0)

  rmSync(`${inside}/filler`)
  expect(await stored(command)).toBe(before)
  expect((await service.importRecords(sales('room', 100))).status).toBe(200)
  expect((await spawnSaleproof(newKey, command)).stdout).toMatch(/^sp_\w+\n$/)
  expect((await stored(command)).match(/"purchase_code":"room-/g)).toHaveLength(100)
  // What it writes when it stops has no room either.
  fill(`${inside}/filler`)
  await service.conclude()
  await remove()
})

test('after a kill on a full disk every command says to make room, and the service starts when there is some', async () => {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  const [program = '', ...rest] = [...withDisk(disk, 8), 'sleep', '600']
  const holder = spawn(program, rest)
  onTestFinished(() => void holder.kill('SIGKILL'))
  await expect.poll(() => readFileSync(`/proc/${holder.pid}/mounts`, 'utf8')).toContain(disk)
  await expect.poll(() => readFileSync(`/proc/${holder.pid}/comm`, 'utf8')).toBe('sleep\n')
  const env = { DATABASE_URL: `file:${disk}/saleproof.db`, WEB_CONCURRENCY: '1', PORT: '0' }
  const command = { cwd: folder, env, within: beside(holder.pid!) }
  const service = await spawnServe(command)
  service.signal('SIGKILL')
  await service.done
  const filler = `/proc/${holder.pid}/root${disk}/filler`
  for (const log of ['-shm', '-wal'])
    rmSync(`/proc/${holder.pid}/root${disk}/saleproof.db${log}`, { force: true })
  fill(filler)
  const commands = [
    ['serve'],
    newKey,
    ['import', '-'],
    ['export'],
    ['account', 'list'],
    ['migrate'],
    ['doctor'],
  ]
  for (const args of commands) {
    const { code, stdout, stderr } = await spawnSaleproof(args, { ...command, input: ndjson(records) })
    expect([args, code, `${stdout}${stderr}`]).toEqual([args, 1, expect.stringContaining('make room')])
    expect(stderr).not.toContain('permissions')
  }
  rmSync(filler)
  const again = await spawnServe(command)
  again.signal('SIGTERM')
  expect((await again.done).code).toBe(0)
})

test('a database that becomes read-only: reads are right, writes are refused, and it goes on when it is not any more', async () => {
  const cwd = await createHome()
  const file = databaseIn(cwd)
  const service = await serveUnderTraffic({ cwd, env: { WEB_CONCURRENCY: '1' }, ordinary: true })
  const command = { cwd, ordinary: true }
  const before = await stored(command)
  const files = [file, `${file}-wal`, `${file}-shm`]
  for (const each of files) chmodSync(each, 0o400)
  chmodSync(`${cwd}/data`, 0o500)

  expect(await service.importRecords(sales('never', 10))).toMatchObject({ status: 503, code: 'unavailable' })
  const refused = await spawnSaleproof(newKey, command)
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^the database cannot be \w+[^\n]+\n$/),
  })
  await service.traffic.until('right')
  expect((await service.readiness()).status).toBe(200)
  expect(service.traffic.count('unavailable')).toBe(0)

  chmodSync(`${cwd}/data`, 0o700)
  for (const each of files) chmodSync(each, 0o600)
  expect(await stored(command)).toBe(before)
  expect((await service.importRecords(sales('again', 10))).status).toBe(200)
  expect((await spawnSaleproof(newKey, command)).stdout).toMatch(/^sp_\w+\n$/)
  await service.conclude()
})
