import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { processOf, send } from '../support/client.ts'
import { saleproof } from '../support/command.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { type CommandOptions, spawnServe } from '../support/process.ts'
import { records } from '../support/records.ts'
import { startTraffic } from './traffic.ts'

export const adminToken = 'a-token-of-the-shop-elsewhere'

/**
 * The longest wait, whatever is wrong: a read waits 50 ms for a lock at most, and the rest is room for a machine that does other
 * things as well.
 */
export const longestWaitMs = 4000

const unlimited = { SALEPROOF_RATE_LIMIT: 'off', SALEPROOF_FAILURE_LIMIT: 'off', ADMIN_TOKEN: adminToken }

/** A folder with a database of the fixture's records. */
export async function createHome() {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const { code, stderr } = await saleproof(['import', '-'], { cwd: folder, input: ndjson(records) })
  expect(code, stderr).toBe(0)
  return folder
}

export const databaseIn = (folder: string) => `${folder}/data/saleproof.db`

/**
 * The service as it is deployed, in processes of its own, under steady requests; everything ends with the test. With `load` it is given
 * the fixture's records first, where `createHome` could not.
 */
export async function serveUnderTraffic({
  env,
  load,
  args = [],
  ...options
}: CommandOptions & { load?: boolean; args?: readonly string[] }) {
  const service = await spawnServe({ ...options, env: { ...unlimited, ...env } }, args)
  let running = true
  void service.done.then(() => {
    running = false
  })
  onTestFinished(async () => {
    if (running) service.signal('SIGKILL')
    await service.done
  })
  if (load) expect((await importRecords(service.url, records)).status).toBe(200)
  const traffic = await startTraffic(service.url)
  onTestFinished(async () => void (await traffic.stop()))
  return {
    ...service,
    traffic,
    importRecords: (more: readonly object[]) => importRecords(service.url, more),
    async readiness() {
      const { status, checks } = await readiness(service.url)
      return { status, checks }
    },
    /** Waits until each of the processes is ready: the system decides which of them gets a connection. */
    async untilReady() {
      await traffic.until('right')
      await untilAllServe(service.url, Number(env?.WEB_CONCURRENCY ?? 1))
    },
    /** Every answer was right or "cannot say", in time; and the service ends as it should. */
    async conclude() {
      await traffic.until('right')
      const { wrong, longest, summary } = await traffic.stop()
      expect(wrong, summary).toEqual([])
      expect(longest).toBeLessThan(longestWaitMs)
      service.signal('SIGTERM')
      const { code, stdout, stderr } = await service.done
      expect(code, stderr).toBe(0)
      return { summary, stdout, stderr }
    },
  }
}

export async function importRecords(url: string, more: readonly object[]) {
  const headers = { authorization: `Bearer ${adminToken}` }
  const began = performance.now()
  const answer = await send(url, { method: 'POST', path: '/admin/import', headers, body: ndjson(more) })
  return { status: answer.status, code: answer.headers['x-error-code'], waited: performance.now() - began }
}

async function readiness(url: string) {
  const { status, headers, text } = await send(url, { path: '/readyz' })
  return {
    process: processOf({ headers }),
    status,
    checks: JSON.parse(text).checks as Record<string, string>,
  }
}

/** Waits until each process of a service is ready; they are asked at once, or they may all be the same one. */
export async function untilAllServe(url: string, count: number) {
  const ready = new Map<string, boolean>()
  await eventually(async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => readiness(url)))
    for (const { process, status } of answers) ready.set(process, status === 200)
    return ready.size === count && [...ready.values()].every(Boolean)
  })
}

/** Waits until something is so; it has to become so in time. */
export async function eventually(isSo: () => boolean | Promise<boolean>, withinMs = 60_000) {
  const end = performance.now() + withinMs
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not so within ${withinMs} ms: ${isSo}`)
    await sleep(20)
  }
}
