import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createWire, type Wire, type WireAnswer } from '../support/client.ts'
import { changeIn, databaseUrlIn, onPostgres, secret } from '../support/database.ts'
import { startService, type TestService, temporaryFolder } from '../support/harness.ts'
import { compiled } from '../support/process.ts'
import { createRandom, newSeed } from '../support/random.ts'
import { codes, environment, key, keys, probes, records, validationOf } from './shop.ts'
import type { Order, Report, State } from './writer.ts'

/** Two processes on one database: this one reads by the fast path alone, the other one writes and knows the right answers. */
interface Scene {
  service: TestService
  hot: Wire
  uncached: Wire
  writer: ChildProcess
}

let home: Awaited<ReturnType<typeof temporaryFolder>>
let scene: Scene | undefined
beforeEach(async () => {
  home = await temporaryFolder()
})
afterEach(async () => {
  if (scene) {
    scene.writer.disconnect()
    await once(scene.writer, 'exit')
    for (const wire of [scene.hot, scene.uncached]) wire.close()
    await scene.service.close()
  }
  scene = undefined
  await home.remove()
})

const said = async (writer: ChildProcess) => ((await once(writer, 'message')) as [Report])[0]

async function command<Answer extends Report>({ writer }: Scene, order: Order): Promise<Answer> {
  writer.send(order)
  return (await said(writer)) as Answer
}

async function set(seed: number): Promise<Scene> {
  const { folder } = home
  const env = { ...environment, SALEPROOF_FAST_PATH: 'on' }
  const service = await startService({ records, folder, env })
  const script = join(import.meta.dirname, 'writer.ts')
  const execArgv = ['--conditions=@saleproof/source']
  const database = [await databaseUrlIn(folder), ...(secret === undefined ? [] : [secret])]
  const writer = fork(script, [folder, String(seed), ...database], {
    execArgv,
    env: { ...process.env, ...compiled },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const { url } = (await said(writer)) as { url: string }
  scene = { service, hot: createWire(service.url), uncached: createWire(url), writer }
  return scene
}

const same = (one: WireAnswer, other: WireAnswer) => JSON.stringify(one) === JSON.stringify(other)
const describeProbe = (index: number) => `${probes[index]!.path} ${probes[index]!.body ?? ''}`

interface Outcome {
  reads: number
  /** What was answered as it had been, not as it was. */
  stale: string[]
}

interface LockStep {
  seed: number
  steps: number
  readsPerStep: number
  untilStale?: boolean
  /** What the names of its writes match. */
  pattern?: string
}

/** After each confirmed write some reads, each of which has to be what is stored then. */
async function lockStep(
  of: Scene,
  { seed, steps, readsPerStep, untilStale, pattern = '' }: LockStep,
): Promise<Outcome> {
  const { hot, uncached } = of
  const { below } = createRandom(seed)
  const outcome: Outcome = { reads: 0, stale: [] }
  // Three times: what is asked for again is kept, and then answered from what is kept.
  for (const _ of [1, 2, 3]) for (const probe of probes) await hot.ask(probe)
  for (let step = 0; step < steps; step++) {
    const { write } = await command<{ write: string }>(of, { order: 'write', pattern })
    const asked = Array.from({ length: readsPerStep }, () => below(probes.length))
    const answers = await Promise.all(asked.map((index) => hot.ask(probes[index]!)))
    const expected = await Promise.all(asked.map((index) => uncached.ask(probes[index]!)))
    outcome.reads += asked.length
    for (const [at, index] of asked.entries())
      if (!same(answers[at]!, expected[at]!)) outcome.stale.push(`after ${write}: ${describeProbe(index)}`)
    if (untilStale && outcome.stale.length) break
  }
  return outcome
}

interface Read {
  index: number
  sent: number
  received: number
  answer: WireAnswer
}

const time = () => Number(process.hrtime.bigint()) / 1e6

/** Whether an answer was right at some time between the request and the response. */
function wasRight({ index, sent, received, answer }: Read, states: readonly State[]): boolean {
  return states.some(({ began, answers }, number) => {
    const over = states[number + 1]?.ended ?? Number.POSITIVE_INFINITY
    return began <= received && over >= sent && same(answers[index]!, answer)
  })
}

/** Reads and writes that know nothing of each other. */
async function freeRun(of: Scene, { seed, writes }: { seed: number; writes: number }): Promise<Outcome> {
  const { below } = createRandom(seed)
  const reads: Read[] = []
  let running = true
  async function readOn() {
    while (running) {
      const [index, sent] = [below(probes.length), time()]
      const answer = await of.hot.ask(probes[index]!)
      reads.push({ index, sent, received: time(), answer })
    }
  }
  const readers = [readOn(), readOn(), readOn()]
  const { states } = await command<{ states: State[] }>(of, { order: 'run', writes })
  running = false
  await Promise.all(readers)
  const wrong = reads.filter((read) => !wasRight(read, states))
  return { reads: reads.length, stale: wrong.map(({ index }) => describeProbe(index)) }
}

// Little is kept of PostgreSQL, and a write takes longer there: postgresql/instances.test.ts has 10,000 interleavings of four instances.
const part = onPostgres ? 1 / 4 : 1

describe('while another process writes', () => {
  const seed = newSeed()

  test(`each answer is what was stored at that time (seed ${seed})`, {
    retry: 0,
    timeout: 180_000,
  }, async () => {
    const opened = await set(seed)
    const inStep = await lockStep(opened, { seed, steps: 120 * part, readsPerStep: 12 })
    expect(inStep.stale).toEqual([])
    const free = await freeRun(opened, { seed, writes: 40 * part })
    expect(free.stale).toEqual([])
    expect(inStep.reads + free.reads).toBeGreaterThanOrEqual(1800 * part)
  })
})

describe('what is kept of a key', () => {
  const ask = (service: TestService, key: string) => service.request(validationOf(key, codes[0]!))
  const start = (more: object) =>
    startService({
      folder: home.folder,
      records,
      env: { ...environment, SALEPROOF_FAST_PATH: 'on' },
      ...more,
    })

  test('ends when the key expires, without anything being written', async () => {
    let now = new Date('2026-01-01T00:00:00Z')
    const service = await start({ clock: () => now })
    const [value] = keys.secret as [string]
    await service.load([{ ...key('secret', value), expires_at: '2026-01-01T00:00:10Z' }])
    const codeAt = async (time: string) => {
      now = new Date(time)
      return (await ask(service, value)).headers['x-error-code']
    }
    expect(await codeAt('2026-01-01T00:00:00Z')).toBeUndefined()
    expect(await codeAt('2026-01-01T00:00:09.999Z')).toBeUndefined()
    expect(await codeAt('2026-01-01T00:00:10Z')).toBe('expired_api_key')
    await service.close()
  })

  test('does not outlive what the key is bound to', async () => {
    const service = await start({})
    const [value] = keys.bound as [string]
    for (const _ of [1, 2, 3]) expect((await ask(service, value)).status).toBe(200)
    await service.load([{ ...key('bound', value), items: [2] }])
    expect((await ask(service, value)).headers['x-error-code']).toBe('purchase_not_found')
    await service.close()
  })
})

/** How a change is noticed: with PostgreSQL only lists are cached. */
const triggersOfFiles = ['Purchase_updated', 'ApiKey_updated', 'Workspace_updated', 'Account_updated']
const triggers = ['Item_updated', ...(onPostgres ? [] : [...triggersOfFiles, 'Item_inserted'])]

describe('this test notices stale answers', () => {
  const enough = { seed: 1, steps: 400, readsPerStep: 20, untilStale: true }

  test.each(triggers)('when the trigger %s is missing', async (trigger) => {
    const opened = await set(1)
    const on = onPostgres ? ` ON "${trigger.split('_')[0]}"` : ''
    await changeIn(opened.service, `DROP TRIGGER "${trigger}"${on}`)
    // Of the writes that it would notice.
    const table = trigger.replace(/^Api|_.*/g, '')
    // Items are inserted where they were removed.
    const pattern = trigger === 'Item_inserted' ? 'removeItem|changeItem' : table
    expect((await lockStep(opened, { ...enough, pattern })).stale).not.toEqual([])
  })

  const { prepare } = Sqlite.prototype
  afterEach(() => {
    Sqlite.prototype.prepare = prepare
  })

  const frozen = async () => {
    let asked = 0
    Sqlite.prototype.prepare = function frozen(this: Sqlite.Database, sql: string) {
      if (sql === 'PRAGMA data_version') asked++
      return prepare.call(this, sql === 'PRAGMA data_version' ? 'SELECT 1' : sql)
    } as typeof prepare
    const opened = await set(1)
    expect(asked).toBe(1)
    expect((await lockStep(opened, enough)).stale).not.toEqual([])
  }
  // PostgreSQL is not asked for it: each of its answers comes with the number of the catalogue.
  if (!onPostgres) test('when the version of the database is asked for and never changes', frozen)
})

test('a key whose workspace lacks its revisions is not taken for an unknown one', async () => {
  const env = { ...environment, SALEPROOF_FAST_PATH: 'on' }
  const service = await startService({ folder: home.folder, records, env })
  await changeIn(service, 'DELETE FROM "Revision"')
  expect((await service.request(validationOf(keys.secret[0]!, codes[0]!))).status).toBe(200)
  await service.close()
})
