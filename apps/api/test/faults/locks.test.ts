import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { ndjson } from '../support/harness.ts'
import { spawnSaleproof } from '../support/process.ts'
import { records } from '../support/records.ts'
import { createHome, databaseIn, serveUnderTraffic } from './serving.ts'

const sale = (purchase_code: string) => ({ ...(records.at(-1) as object), item: 101, purchase_code })
const workspace = (slug: string) => ({ type: 'workspace', slug, name: slug, owner: 'ada' })

/** Twice as long as a write waits for it. */
const lockedMs = 12_000

test('another process holds the lock of the writers: reads are right all the time, writes say 503 and go on afterwards', async () => {
  const cwd = await createHome()
  const service = await serveUnderTraffic({ cwd, env: { WEB_CONCURRENCY: '1' } })
  const holder = fork(join(import.meta.dirname, 'holder.fixture.ts'), [databaseIn(cwd)])
  const ended = once(holder, 'exit')
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder, 'message')
  const closeAll = sleep(lockedMs)
  // Each waits for five seconds, and the reads go on meanwhile.
  const command = spawnSaleproof(['key', 'create', '--workspace', 'ada-studio'], { cwd })
  const refused = await service.importRecords([workspace('waits')])
  expect(refused).toMatchObject({ status: 503, code: 'unavailable' })
  expect(refused.waited).toBeLessThan(15_000)
  expect((await service.readiness()).status).toBe(200)
  expect(await command).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^another command/),
  })
  const answered = service.traffic.count('right')
  await closeAll
  expect(service.traffic.count('right')).toBeGreaterThan(answered)
  expect(service.traffic.count('unavailable')).toBe(0)
  holder.kill('SIGKILL')
  await ended
  expect((await service.importRecords([workspace('waits')])).status).toBe(200)
  const made = await spawnSaleproof(['key', 'create', '--workspace', 'waits'], { cwd })
  expect(made.stdout).toMatch(/^sp_\w+\n$/)
  await service.conclude()
})

test('several processes import at the same time: each file is there whole, and reads are right all the time', async () => {
  const cwd = await createHome()
  const service = await serveUnderTraffic({ cwd, env: { WEB_CONCURRENCY: '2' } })
  const sales = (name: string) =>
    Array.from({ length: 1000 }, (_, number) => sale(`${name}-${number}-of-one-import`))
  // Each of them changes this one as well: the last one stands.
  const contested = (downloaded: boolean) => ({ ...sale('contested-by-all-of-them'), downloaded })
  const names = ['one', 'two', 'three']
  const commands = names.map((name, number) =>
    spawnSaleproof(['import', '-'], { cwd, input: ndjson([...sales(name), contested(number % 2 === 0)]) }),
  )
  const posted = ['four', 'five'].map((name) => service.importRecords([...sales(name), contested(true)]))
  for (const { code, stderr } of await Promise.all(commands)) expect(code, stderr).toBe(0)
  for (const { status } of await Promise.all(posted)) expect(status).toBe(200)
  const { stdout } = await spawnSaleproof(['export'], { cwd })
  for (const name of [...names, 'four', 'five'])
    expect(stdout.split(`"purchase_code":"${name}-`)).toHaveLength(1001)
  expect(stdout.split('contested-by-all')).toHaveLength(2)
  const { summary } = await service.conclude()
  expect(JSON.parse(summary).unavailable).toBe(0)
})
