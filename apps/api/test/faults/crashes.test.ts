import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { send } from '../support/client.ts'
import { ndjson } from '../support/harness.ts'
import { spawnCommand, spawnSaleproof, spawnServe } from '../support/process.ts'
import { type Random, seededRandom } from '../support/random.ts'
import { codes, records, secretKey } from '../support/records.ts'
import { adminToken, createHome, databaseIn, eventually } from './serving.ts'

const rounds = 5

const sale = (purchase_code: string) => ({ ...(records.at(-1) as object), item: 101, purchase_code })
const batch = (name: string, count: number) =>
  Array.from({ length: count }, (_, number) => sale(`${name}/${number}-of-a-crash`))

/** What was asked for, and what was confirmed before the crash. */
interface History {
  batches: { name: string; count: number; confirmed: boolean }[]
  keys: string[]
  revoked: string[]
}

type Stopped = () => boolean

/** A shop elsewhere that records one batch of sales after the other. */
async function recordSales(url: string, round: number, history: History, stopped: Stopped) {
  for (let number = 0; !stopped(); number++) {
    const entry = { name: `shop-${round}-${number}`, count: 40, confirmed: false }
    history.batches.push(entry)
    const headers = { authorization: `Bearer ${adminToken}` }
    const body = ndjson(batch(entry.name, entry.count))
    const answer = await send(url, { method: 'POST', path: '/admin/import', headers, body }).catch(
      () => undefined,
    )
    entry.confirmed = answer?.status === 200
  }
}

type Run = (args: readonly string[], input?: string) => Promise<{ code: number | null; stdout: string }>

async function importFiles(run: Run, round: number, history: History, stopped: Stopped) {
  for (let number = 0; !stopped(); number++) {
    const entry = { name: `file-${round}-${number}`, count: 2000, confirmed: false }
    history.batches.push(entry)
    const { code } = await run(['import', '-'], ndjson(batch(entry.name, entry.count)))
    entry.confirmed = code === 0
  }
}

async function makeAndRevokeKeys(run: Run, cwd: string, history: History, stopped: Stopped) {
  while (!stopped()) {
    const { stdout } = await run(['key', 'create', '--workspace', 'ada-studio', '--name', 'crash'])
    const key = stdout.trim()
    // A key that was printed may be in use, however the command ended.
    if (key) history.keys.push(key)
    if (!key || stopped()) return
    const database = new Sqlite(databaseIn(cwd), { readonly: true })
    const id = database.prepare('SELECT id FROM ApiKey ORDER BY createdAt DESC LIMIT 1').pluck().get()
    database.close()
    const { code } = await run(['key', 'revoke', String(id)])
    if (code === 0) history.revoked.push(key)
  }
}

const confirmed = ({ batches, keys, revoked }: History) =>
  batches.filter((entry) => entry.confirmed).length + keys.length + revoked.length

/** Writes by all three ways at once, until everything that writes is killed at a random time. */
async function crash(cwd: string, round: number, history: History, random: Random) {
  const service = await spawnServe({ cwd, env: { ADMIN_TOKEN: adminToken } })
  const alive = new Set<number>([service.pid])
  let over = false
  const stopped = () => over
  const run: Run = async (args, input) => {
    const { pid, done } = await spawnCommand(args, { cwd, ...(input !== undefined && { input }) })
    alive.add(pid)
    const result = await done
    alive.delete(pid)
    return result
  }
  const writing = [
    recordSales(service.url, round, history, stopped),
    importFiles(run, round, history, stopped),
    makeAndRevokeKeys(run, cwd, history, stopped),
  ]
  const before = confirmed(history)
  await eventually(() => confirmed(history) >= before + 3)
  await sleep(random.below(700))
  over = true
  for (const pid of alive) process.kill(pid, 'SIGKILL')
  await Promise.all([...writing, service.done])
}

interface Line {
  type: string
  purchase_code?: string
  key?: string
  revoked_at?: string | null
}

test('kill -9 while everything writes, over and over: whatever was confirmed is there, and nothing by halves', {
  retry: 0,
  timeout: 180_000,
}, async () => {
  const cwd = await createHome()
  const { stdout: before } = await spawnSaleproof(['export'], { cwd })
  const history: History = { batches: [], keys: [], revoked: [] }
  const random = seededRandom()
  for (let round = 0; round < rounds; round++) await crash(cwd, round, history, random)

  // As a start finds it, with the log that the last crash left.
  const { stdout: after, code, stderr } = await spawnSaleproof(['export'], { cwd })
  expect(code, stderr).toBe(0)
  const lines = after.trim().split('\n')
  const stored = lines.map((line) => JSON.parse(line) as Line)
  const counts = new Map<string, number>()
  for (const { purchase_code = '' } of stored) {
    const [name = ''] = purchase_code.split('/')
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  for (const { name, count, confirmed } of history.batches) {
    const found = counts.get(name) ?? 0
    expect(confirmed ? [count] : [0, count], `${name}, ${confirmed}`).toContain(found)
  }
  const keys = new Map(stored.filter(({ type }) => type === 'api_key').map((line) => [line.key, line]))
  for (const key of history.keys) expect(keys.has(key)).toBe(true)
  for (const key of history.revoked) expect(keys.get(key)?.revoked_at).toEqual(expect.any(String))
  expect(history.batches.some((entry) => entry.confirmed)).toBe(true)
  for (const line of before.trim().split('\n')) expect(lines).toContain(line)

  const database = new Sqlite(databaseIn(cwd))
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(database.pragma('foreign_key_check')).toEqual([])
  database.close()

  const service = await spawnServe({ cwd })
  const [last] = history.batches.filter(({ confirmed }) => confirmed).slice(-1)
  for (const purchase_code of [codes.active, `${last?.name}/0-of-a-crash`]) {
    const headers = { 'x-api-key': secretKey, 'content-type': 'application/json' }
    const body = JSON.stringify({ purchase_code })
    const answer = await send(service.url, {
      method: 'POST',
      path: '/api/purchases/validation',
      headers,
      body,
    })
    expect(answer.status).toBe(200)
  }
  service.signal('SIGTERM')
  expect((await service.done).code).toBe(0)
})
