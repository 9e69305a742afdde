import { execFileSync } from 'node:child_process'
import { renameSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '@saleproof/postgres'
import { operations } from '@saleproof/schema'
import { expect, test } from 'vitest'
import { send } from '../support/client.ts'
import { spawnCommand, spawnServe, workersOf } from '../support/process.ts'
import { secretKey } from '../support/records.ts'
import { createHome, databaseIn, untilAllServe } from './serving.ts'

const account = { path: operations.getAccount.path, headers: { 'x-api-key': secretKey } }

async function serveTwo(env: Record<string, string> = {}) {
  const cwd = await createHome()
  const service = await spawnServe({ cwd, env: { WEB_CONCURRENCY: '2', ...env } })
  await untilAllServe(service.url, 2)
  return { ...service, database: databaseIn(cwd), workers: workersOf(service.pid) }
}

test('what keeps a worker from starting does not end those that serve, and it is tried again', async () => {
  const { url, database, workers, signal, done, output } = await serveTwo()
  const secret = `${database}.secret`
  renameSync(secret, `${secret}.moved`)
  process.kill(workers[0]!, 'SIGKILL')
  await expect.poll(() => output.stderr).toContain('starting another in 2 s\n')
  expect((await send(url, account)).status).toBe(200)
  renameSync(`${secret}.moved`, secret)
  await untilAllServe(url, 2)
  expect((await send(url, account)).status).toBe(200)
  signal('SIGTERM')
  expect((await done).code).toBe(0)
})

test('workers that are killed each second do not stop the service, and restarts back off', async () => {
  // With port 0 the workers after the last one would listen on another.
  const { url, pid, signal, done, output } = await serveTwo({ PORT: String(await freePort()) })
  const status = () =>
    send(url, account).then(
      (answer) => answer.status,
      () => 0,
    )
  const [healthy] = workersOf(pid)
  for (let kills = 0; kills < 8; kills++) {
    const others = workersOf(pid).filter((worker) => worker !== healthy)
    if (others[0]) process.kill(others[0], 'SIGKILL')
    expect(await status()).toBe(200)
    await setTimeout(1000)
  }
  expect(output.stderr).toContain('starting another in ')
  const killAll = () => workersOf(pid).map((worker) => process.kill(worker, 'SIGKILL'))
  for (let kills = 0; kills < 7; kills++) {
    killAll()
    await setTimeout(1000)
  }
  expect(output.stderr).not.toContain('stopping')
  await expect.poll(status).toBe(200)
  await untilAllServe(url, 2)
  killAll()
  signal('SIGTERM')
  expect((await done).code).toBe(0)
})

test('with no descriptor left for another worker those that serve go on', async () => {
  const { url, pid, workers, signal, done, output } = await serveTwo()
  const limit = (most: string) => execFileSync('prlimit', ['--pid', String(pid), `--nofile=${most}:`])
  limit('10')
  process.kill(workers[0]!, 'SIGKILL')
  await expect.poll(() => output.stderr).toContain('a worker ended (EMFILE): starting another in 1 s\n')
  expect((await send(url, account)).status).toBe(200)
  limit('1000')
  await untilAllServe(url, 2)
  signal('SIGTERM')
  expect((await done).code).toBe(0)
})

test('a signal of Node.js opens no debugger', async () => {
  const { url, pid, workers, signal, done, output } = await serveTwo()
  for (const each of [pid, ...workers]) process.kill(each, 'SIGUSR1')
  await untilAllServe(url, 2)
  signal('SIGHUP')
  expect((await done).code).toBe(0)
  expect(output.stderr).toBe(`listening on ${url}\n`)
})

test('ends with 0 when it is stopped while it starts', async () => {
  const cwd = await createHome()
  const { pid, done } = await spawnCommand(['serve'], { cwd, env: { WEB_CONCURRENCY: '2', PORT: '0' } })
  await expect.poll(() => workersOf(pid), { interval: 5 }).toHaveLength(1)
  process.kill(pid, 'SIGTERM')
  expect(await done).toEqual({ code: 0, stdout: '', stderr: '' })
})
