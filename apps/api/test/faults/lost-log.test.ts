import {
  copyFileSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { expect, test } from 'vitest'
import { send } from '../support/client.ts'
import { spawnSaleproof, spawnServe } from '../support/process.ts'
import { records, secretKey } from '../support/records.ts'
import { adminToken, createHome, databaseIn, importRecords } from './serving.ts'

const sale = (purchase_code: string) => ({ ...(records.at(-1) as object), item: 101, purchase_code })
const code = (number: number) => `SOLD-BEFORE-THE-CRASH-${number}`

/** A service that was killed after it had confirmed some sales. */
async function killed() {
  const cwd = await createHome()
  const service = await spawnServe({ cwd, env: { ADMIN_TOKEN: adminToken } })
  for (let number = 0; number < 5; number++)
    expect((await importRecords(service.url, [sale(code(number))])).status).toBe(200)
  service.signal('SIGKILL')
  await service.done
  const log = `${databaseIn(cwd)}-wal`
  copyFileSync(log, `${log}.kept`)
  return { cwd, log, restoreLog: () => copyFileSync(`${log}.kept`, log) }
}

async function validates(url: string, purchase_code: string) {
  const headers = { 'x-api-key': secretKey, 'content-type': 'application/json' }
  const body = JSON.stringify({ purchase_code })
  const path = '/api/purchases/validation'
  return (await send(url, { method: 'POST', path, headers, body })).status
}

async function serveAndStop(cwd: string, codes: readonly string[], args: readonly string[] = []) {
  const service = await spawnServe({ cwd }, args)
  const statuses = await Promise.all(codes.map((each) => validates(service.url, each)))
  service.signal('SIGTERM')
  expect((await service.done).code).toBe(0)
  return statuses
}

function flipBit(file: string, at: number) {
  const bytes = readFileSync(file)
  bytes[at]! ^= 1
  writeFileSync(file, bytes)
}

test.each([
  ['removed', (log: string) => rmSync(log)],
  ['emptied', (log: string) => truncateSync(log)],
  ['halved', (log: string) => truncateSync(log, Math.floor(statSync(log).size / 2))],
  ['damaged by one bit', (log: string) => flipBit(log, 200)],
])('a log that is %s is noticed by every start and by doctor, until it is back', async (_, damage) => {
  const { cwd, log, restoreLog } = await killed()
  damage(log)
  for (const args of [['serve'], ['account', 'list'], ['doctor']]) {
    const { code: exit, stdout, stderr } = await spawnSaleproof(args, { cwd, env: { PORT: '0' } })
    expect([args, exit, `${stdout}${stderr}`]).toEqual([
      args,
      1,
      expect.stringContaining('--accept-lost-writes'),
    ])
  }
  restoreLog()
  expect(await serveAndStop(cwd, [code(0), code(4)])).toEqual([200, 200])
})

test('a start without what is lost is recorded, and later ones need no option', async () => {
  const { cwd, log } = await killed()
  rmSync(log)
  expect(await serveAndStop(cwd, [code(4)], ['--accept-lost-writes'])).toEqual([404])
  const { stdout } = await spawnSaleproof(['audit', 'list', '--json'], { cwd })
  expect(stdout).toMatch(/writes\.lost/)
  expect(await serveAndStop(cwd, [code(4)])).toEqual([404])
})

test('what was never confirmed is not missed: torn last frames, and a record that a power loss took back', async () => {
  const { cwd, log } = await killed()
  const { size } = statSync(log)
  const torn = Buffer.alloc(2000)
  readSync(openSync(log, 'r'), torn, 0, torn.length, size - 4120)
  writeFileSync(log, torn, { flag: 'a' })
  expect(await serveAndStop(cwd, [code(4)])).toEqual([200])
  const record = `${databaseIn(cwd)}.commits`
  for (const text of ['', 'x 12', readFileSync(record, 'utf8').slice(0, 19)]) {
    writeFileSync(record, text)
    expect(await serveAndStop(cwd, [code(4)])).toEqual([200])
  }
})

test('a backup that is restored is not missed anything of', async () => {
  const { cwd } = await killed()
  expect((await spawnSaleproof(['backup', 'a.backup'], { cwd })).code).toBe(0)
  const service = await spawnServe({ cwd, env: { ADMIN_TOKEN: adminToken } })
  expect((await importRecords(service.url, [sale('SOLD-AFTER-THE-BACKUP')])).status).toBe(200)
  service.signal('SIGTERM')
  await service.done
  expect((await spawnSaleproof(['restore', 'a.backup', '--force'], { cwd })).code).toBe(0)
  expect(await serveAndStop(cwd, [code(4), 'SOLD-AFTER-THE-BACKUP'])).toEqual([200, 404])
})
