import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@saleproof/schema'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createWire, send, type Wire } from '../support/client.ts'
import { createBrowser, password } from '../support/console-client.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { temporaryDatabase } from '../support/postgres-databases.ts'
import { spawnServe } from '../support/process.ts'
import { createRandom, newSeed } from '../support/random.ts'
import { type Change, createModel, type Query } from './instances-model.ts'
import { environmentFor } from './servers.ts'

const instanceCount = 4
const interleavings = 10_000
const adminToken = 'a-token-of-the-shop-elsewhere'

/** On a machine that is busy with something else it may take long to connect to the database; "cannot say" is no answer then. */
const mostUnknown = 50

interface Instance {
  known: Wire['ask']
  load: (records: readonly object[]) => Promise<void>
  browser: ReturnType<typeof createBrowser>
}

async function startInstance(databaseUrl: string): Promise<Instance> {
  const home = await temporaryFolder()
  onTestFinished(home.remove)
  const limits = {
    SALEPROOF_RATE_LIMIT: 'off',
    SALEPROOF_FAILURE_LIMIT: 'off',
    SALEPROOF_SIGN_IN_LIMIT: 'off',
  }
  const env = { ...environmentFor(databaseUrl), ...limits, ADMIN_TOKEN: adminToken, LOG_LEVEL: 'warn' }
  const { url, signal, done } = await spawnServe({ cwd: home.folder, env })
  const wire = createWire(url)
  onTestFinished(async () => {
    wire.close()
    signal('SIGKILL')
    await done
  })
  return {
    async known(sent) {
      let answer = await wire.ask(sent)
      for (let tries = 0; answer.status === 503 && tries < mostUnknown; tries++) {
        await sleep(100)
        answer = await wire.ask(sent)
      }
      return answer
    },
    browser: createBrowser(url),
    async load(records) {
      const headers = { authorization: `Bearer ${adminToken}` }
      const answer = await send(url, {
        method: 'POST',
        path: '/admin/import',
        headers,
        body: ndjson(records),
      })
      expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
    },
  }
}

function requestOf({ operation, key, code, item }: Query) {
  const { method, path } = operations[operation]
  const headers: Record<string, string> = { 'x-api-key': key }
  if (method === 'GET') return { path: item === undefined ? path : `${path}?item_id=${item}`, headers }
  const body = JSON.stringify({ purchase_code: code })
  return {
    method,
    path,
    body,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': `${body.length}` },
  }
}

async function startInstances() {
  const { url, remove } = await temporaryDatabase(inject('postgresUrl'))
  onTestFinished(remove)
  return Promise.all(Array.from({ length: instanceCount }, () => startInstance(url)))
}

/** Writes something through an instance; gives the key that was made. */
async function write({ browser, load }: Instance, change: Change): Promise<string> {
  if ('records' in change) {
    await load(change.records)
    return ''
  }
  const { slug } = change
  if ('state' in change) {
    await browser.ask('setPurchaseState', { slug }, { purchase_code: change.code, state: change.state })
    return ''
  }
  if ('made' in change)
    return (await browser.ask('createKey', { slug }, { name: change.made, kind: 'secret' })).api_key
  const { keys } = await browser.ask('listKeys', { slug })
  await browser.ask('revokeKey', { slug, id: keys.find(({ name }) => name === change.revoked)!.id })
  return ''
}

const seed = newSeed()

test(`what is written by one of four instances shows in the next request on every other (seed ${seed})`, {
  retry: 0,
  timeout: 240_000,
}, async () => {
  const instances = await startInstances()
  const random = createRandom(seed)
  const model = createModel(random)
  await instances[0]!.load([...model.records(password)])
  for (const { browser } of instances) await browser.signIn('ada')
  const wrong: string[] = []
  let [reads, writes] = [0, 0]

  async function compare(instance: number, question: Query) {
    reads++
    const expected = model.expect(question)
    const { status, headers, bytes } = await instances[instance]!.known(requestOf(question))
    const code = headers.find((line) => line.startsWith('X-Error-Code: '))?.slice(14)
    const found = status === 200 ? model.essence(question, JSON.parse(bytes)) : `${status} ${code}`
    if (found !== expected) wrong.push(`${JSON.stringify(question)}: ${found} instead of ${expected}`)
  }

  while (reads < interleavings && wrong.length === 0) {
    const writer = random.below(instanceCount)
    const change = model.change()
    change.confirm(await write(instances[writer]!, change))
    writes++
    const others = instances.flatMap((_, number) => (number === writer ? [] : [number]))
    await Promise.all(
      others.flatMap((number) => model.questions(change).map((question) => compare(number, question))),
    )
  }
  expect(wrong).toEqual([])
  expect(reads).toBeGreaterThanOrEqual(interleavings)
  expect(writes).toBeGreaterThan(50)
})
