import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@saleproof/schema'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { accountText } from '../support/expected.ts'
import { ndjson } from '../support/harness.ts'
import { spawnServe, workersOf } from '../support/process.ts'
import { records, secretKey } from '../support/records.ts'
import { adminToken, createHome, databaseIn, importRecords, untilAllServe } from './serving.ts'

type Outcome = 'answered' | 'refused' | `lost: ${string}`

/** One request: answered whole; refused before anything was sent; or neither. */
const ask = (url: string, agent: Agent) =>
  new Promise<Outcome>((resolve) => {
    const headers = { 'x-api-key': secretKey }
    const request = httpRequest(`${url}${operations.getAccount.path}`, { headers, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', (error) => resolve(`lost: ${(error as { code?: string }).code} in the body`))
      response.on('end', () => {
        const whole = response.statusCode === 200 && Buffer.concat(chunks).toString() === accountText
        resolve(whole ? 'answered' : `lost: ${response.statusCode}`)
      })
    })
    request.on('error', (error) => {
      const { code } = error as { code?: string }
      resolve(code === 'ECONNREFUSED' ? 'refused' : `lost: ${code} ${request.reusedSocket ? 'kept' : 'new'}`)
    })
    request.end()
  })

/** Asks over and over, on one connection for as long as it is kept, until it is refused. */
async function askUntilRefused(url: string, counts: Map<Outcome, number>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let outcome: Outcome = 'answered'; outcome !== 'refused'; ) {
    outcome = await ask(url, agent)
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  }
  agent.destroy()
}

/** Connects and asks; gives a promise of everything that comes until the connection ends. */
async function connectTo(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  const ended = new Promise<string>((resolve) => {
    socket.on('error', ({ message }) => resolve(message))
    socket.on('close', () => resolve(text))
  })
  await once(socket, 'connect')
  socket.write(`GET ${operations.getAccount.path} HTTP/1.1\r\nHost: h\r\nX-Api-Key: ${secretKey}\r\n\r\n`)
  return { ended }
}

async function start(count: string) {
  const cwd = await createHome()
  const env = { WEB_CONCURRENCY: count, SALEPROOF_RATE_LIMIT: 'off', ADMIN_TOKEN: adminToken }
  const service = await spawnServe({ cwd, env })
  await untilAllServe(service.url, Number(count))
  const serving = count === '1' ? [service.pid] : workersOf(service.pid)
  return {
    ...service,
    database: databaseIn(cwd),
    /** Sends a signal to whatever accepts connections. */
    signalServing(name: NodeJS.Signals) {
      for (const pid of serving) process.kill(pid, name)
    },
  }
}

/** Waits until it is gone, as it should be. */
async function end({ url, done }: Awaited<ReturnType<typeof start>>) {
  const began = performance.now()
  const { code, stderr } = await done
  expect([code, stderr]).toEqual([0, `listening on ${url}\n`])
  expect(performance.now() - began).toBeLessThan(20_000)
}

test.each(['1', '2'])(
  'SIGTERM with %s processes, under load on connections that are kept: no request is lost',
  async (count) => {
    const service = await start(count)
    const counts = new Map<Outcome, number>()
    const asking = Array.from({ length: 16 }, () => askUntilRefused(service.url, counts))
    await sleep(1000)
    service.signal('SIGTERM')
    await end(service)
    await Promise.all(asking)
    expect(Object.fromEntries(counts)).toEqual({ answered: expect.any(Number), refused: 16 })
  },
)

test.each(['1', '2'])(
  'SIGTERM with %s processes: connections accepted by then get a response',
  async (count) => {
    const service = await start(count)
    // While it is stopped the system takes connections in its place, as it does while it is busy.
    service.signalServing('SIGSTOP')
    const connections = await Promise.all(Array.from({ length: 20 }, () => connectTo(service.url)))
    service.signal('SIGTERM')
    service.signalServing('SIGCONT')
    for (const text of await Promise.all(connections.map(({ ended }) => ended)))
      expect(text).toMatch(/^HTTP\/1\.1 200 .*\{"status":"success"/s)
    await end(service)
  },
)

const sales = (count: number) =>
  Array.from({ length: count }, (_, number) => ({
    ...(records.at(-1) as object),
    item: 101,
    purchase_code: `MANY-SALES-${number}`,
  }))

function countSales(file: string) {
  const database = new Sqlite(file, { readonly: true })
  const count = database.prepare(`SELECT count(*) FROM Purchase WHERE code LIKE 'MANY-SALES-%'`).pluck().get()
  database.close()
  return count
}

test('SIGTERM beside a thread that waits for an import ends at once', async () => {
  const service = await start('1')
  expect((await importRecords(service.url, sales(200))).status).toBe(200)
  const began = performance.now()
  service.signal('SIGTERM')
  await end(service)
  expect(performance.now() - began).toBeLessThan(8500)
})

test('SIGTERM during a large import: it is stored whole and confirmed, or not at all', async () => {
  const service = await start('1')
  const importing = importRecords(service.url, sales(40_000)).catch(() => ({ status: 0 }))
  await sleep(500)
  service.signal('SIGTERM')
  const { status } = await importing
  await end(service)
  expect(countSales(service.database)).toBe(status === 200 ? 40_000 : 0)
})

test('SIGTERM during an import whose body stalls cuts it off and stores nothing', async () => {
  const service = await start('1')
  const headers = { authorization: `Bearer ${adminToken}` }
  const request = httpRequest(`${service.url}/admin/import`, { method: 'POST', headers })
  request.on('error', () => {})
  request.write(ndjson(sales(200)))
  await sleep(500)
  service.signal('SIGTERM')
  await end(service)
  expect(countSales(service.database)).toBe(0)
})
