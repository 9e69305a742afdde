import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { saleproof } from '../command.ts'
import { createHome, databaseIn, serveUnderTraffic } from './serving.ts'

const workspace = (slug: string) => ({ type: 'workspace', slug, name: slug, owner: 'ada' })

test('another process holds the lock of the writers: reads are right all the time, writes say 503 and go on afterwards', async () => {
  const cwd = await createHome()
  const service = await serveUnderTraffic({ cwd, env: { WEB_CONCURRENCY: '1' } })
  const holder = fork(join(import.meta.dirname, 'holder.fixture.ts'), [databaseIn(cwd)])
  const ended = once(holder, 'exit')
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder, 'message')
  // Each waits for five seconds, and the reads go on meanwhile.
  const command = saleproof(['key', 'create', '--workspace', 'ada-studio'], { cwd })
  const refused = await service.importRecords([workspace('waits')])
  expect(refused).toMatchObject({ status: 503, code: 'unavailable' })
  expect(refused.waited).toBeLessThan(15_000)
  expect((await service.readiness()).status).toBe(200)
  expect(await command).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^another command/),
  })
  expect(service.traffic.count('unavailable')).toBe(0)
  holder.kill('SIGKILL')
  await ended
  expect((await service.importRecords([workspace('waits')])).status).toBe(200)
  const made = await saleproof(['key', 'create', '--workspace', 'waits'], { cwd })
  expect(made.stdout).toMatch(/^sp_\w+\n$/)
  await service.conclude()
}, 120_000)
