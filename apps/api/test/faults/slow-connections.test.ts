import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@saleproof/schema'
import { afterEach, describe, expect, test } from 'vitest'
import { parseAnswers } from '../support/client.ts'
import { startService, type TestService } from '../support/harness.ts'
import { records, secretKey } from '../support/records.ts'

const metricsToken = 'a-token-of-the-metrics'
const timeouts = { headers: 15_000, request: 30_000, response: 30_000, idle: 65_000 }

let service: TestService
const sockets: Socket[] = []
let closed = false
const close = async () => {
  if (!closed) await service.close()
  closed = true
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await close()
})

async function start(more: Parameters<typeof startService>[0] = {}) {
  service = await startService({
    records,
    timeouts,
    ...more,
    env: { METRICS_TOKEN: metricsToken, ...more.env },
  })
  closed = false
}

/** A connection that stays open at this end whatever the service does, and everything that came over it. */
async function open({ reads = true, localAddress = '127.0.0.1' } = {}) {
  const port = Number(new URL(service.url).port)
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  sockets.push(socket)
  const state = { text: '', bytes: 0, ended: false, closed: false }
  socket.on('error', () => {})
  socket.on('end', () => {
    state.ended = true
  })
  socket.on('close', () => {
    state.closed = true
  })
  if (!reads) socket.pause()
  else
    socket.on('data', (chunk: Buffer) => {
      state.bytes += chunk.length
      if (state.bytes < 100_000) state.text += chunk
    })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return { socket, state, isOver: () => state.ended || state.closed }
}

async function until(condition: () => boolean | Promise<boolean>, withinMs = 60_000) {
  const deadline = performance.now() + withinMs
  while (!(await condition())) {
    if (performance.now() > deadline) expect.unreachable('it did not come true in time')
    await sleep(20)
  }
}

/** How many connections the service has, beside the one that asks. */
async function connections() {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const { text } = await service.request({ path: '/metrics', headers })
  return Number(/^saleproof_connections (\d+)$/m.exec(text)?.[1]) - 1
}

const key = `Host: h\r\nX-Api-Key: ${secretKey}\r\n`
const post = `POST ${operations.validatePurchase.path} HTTP/1.1\r\n${key}Content-Type: application/json\r\n`

describe('a client that is slow to send', () => {
  test.each([
    ['says nothing', ''],
    ['says a part of a line', 'GET /hea'],
    ['ends no headers', `GET /healthz HTTP/1.1\r\n${key}`],
  ])('is refused when he %s', async (_what, bytes) => {
    await start({ timeouts: { ...timeouts, headers: 300 } })
    const { socket, state, isOver } = await open()
    socket.write(bytes)
    await until(isOver)
    const [answer] = parseAnswers(state.text)
    expect([answer?.status, answer?.headers['x-error-code']]).toEqual([408, 'request_timeout'])
    expect(answer!.headers.connection).toBe('close')
  })

  test.each([
    ['headers', `GET /healthz HTTP/1.1\r\n${key}X: `, { headers: 400, request: 30_000 }],
    ['a body', `${post}Content-Length: 10000\r\n\r\n`, { headers: 400, request: 500 }],
    ['chunks', `${post}Transfer-Encoding: chunked\r\n\r\n2710\r\n`, { headers: 400, request: 500 }],
  ])('is refused however steadily he sends %s', async (_what, bytes, limits) => {
    await start({ timeouts: { ...timeouts, ...limits } })
    const { socket, state, isOver } = await open()
    socket.write(bytes)
    const drip = setInterval(() => socket.writable && socket.write(' '), 20)
    await until(isOver)
    clearInterval(drip)
    expect(parseAnswers(state.text).map(({ status }) => status)).toEqual([408])
  })
})

describe('a client that does not close its end after the last response', () => {
  test.each([
    ['after nonsense', 'hello\r\n\r\n', [400]],
    ['after CONNECT', `CONNECT h:1 HTTP/1.1\r\n${key}\r\n`, [405]],
    ['after silence', '', [408]],
    ['after a body that never came', `GET /healthz HTTP/1.1\r\n${key}Content-Length: 9\r\n\r\n`, [200]],
    ['after a body that was refused', `${post}Content-Length: 999999\r\n\r\n{`, [413]],
    ['after a request that was answered', `GET /healthz HTTP/1.1\r\n${key}Connection: close\r\n\r\n`, [200]],
    ['after a request and nonsense', `GET /healthz HTTP/1.1\r\n${key}\r\nhello\r\n\r\n`, [200, 400]],
  ])('is not waited for %s', async (_when, bytes, statuses) => {
    await start({ timeouts: { ...timeouts, headers: 300, request: 500 } })
    const { socket, state, isOver } = await open()
    socket.write(bytes)
    await until(isOver)
    expect(parseAnswers(state.text).map(({ status }) => status)).toEqual(statuses)
    await until(async () => (await connections()) === 0)
  })

  test('does not hold up a stop', async () => {
    await start({ timeouts: { ...timeouts, headers: 300 } })
    const { socket, isOver } = await open()
    socket.write(`CONNECT h:1 HTTP/1.1\r\n${key}\r\n`)
    await until(isOver)
    const began = performance.now()
    await close()
    expect(performance.now() - began).toBeLessThan(8000)
  })
})

/** A list of some 15 MB. */
const template = records.find((record) => 'kind' in record && record.kind === 'image')!
const large = Array.from({ length: 1500 }, (_, index) => ({
  ...template,
  id: 5000 + index,
  description: `${index} `.padEnd(10_000, 'lorem ipsum '),
}))
const list = `GET ${operations.listItems.path} HTTP/1.1\r\n${key}\r\n`

describe('a client that is slow to read', () => {
  test('and does not read its 15 MB is cut off; no other client is', async () => {
    await start({ records: [...records, ...large], timeouts: { ...timeouts, response: 1000 } })
    const silent = await Promise.all(Array.from({ length: 10 }, () => open({ reads: false })))
    for (const { socket } of silent) socket.write(list)
    const { socket, state } = await open()
    socket.write(list)
    await until(() => state.bytes > 15_000_000)
    await until(async () => (await connections()) === 1)
    for (const { socket } of silent) socket.resume()
    await until(() => silent.every(({ state }) => state.closed))
    // It is one connection as before, and not the worse for it.
    socket.write(`GET /healthz HTTP/1.1\r\n${key}Connection: close\r\n\r\n`)
    await until(() => state.ended)
  })

  test('and reads a little now and then is cut off', async () => {
    await start({ records: [...records, ...large], timeouts: { ...timeouts, response: 1000 } })
    const { socket, state } = await open({ reads: false })
    socket.write(list)
    // Some 4 KB in a second, and 64 have to be read.
    const sip = setInterval(() => socket.read(Math.min(socket.readableLength, 100)), 25)
    await until(async () => (await connections()) === 0)
    clearInterval(sip)
    socket.resume()
    await until(() => state.closed)
  })

  test('but reads steadily gets it all', async () => {
    await start({ records: [...records, ...large], timeouts: { ...timeouts, response: 2000 } })
    const { socket, state } = await open({ reads: false })
    const began = performance.now()
    socket.write(list)
    // Some 64 KB each time: longer all together than a part of the answer may take.
    let bytes = 0
    const sip = setInterval(() => {
      bytes += socket.read()?.length ?? 0
    }, 20)
    await until(() => bytes > 15_000_000 || state.closed, 100_000)
    clearInterval(sip)
    expect(bytes).toBeGreaterThan(15_000_000)
    expect(performance.now() - began).toBeGreaterThan(2500)
  })
})

describe('connections', () => {
  const warnings = () => service.logs.filter((line) => line.includes('SALEPROOF_MAX_CONNECTIONS'))
  const healthz = `GET /healthz HTTP/1.1\r\n${key}\r\n`
  const body = '{"purchase_code":"none"}'
  type Opened = Awaited<ReturnType<typeof open>>

  const isServed = ({ state }: Opened) => state.text.includes('{"status":"ok"}')
  async function serve(opened: Opened) {
    opened.socket.write(healthz)
    await until(() => isServed(opened))
  }

  /** Connections whose request the service has begun to read. */
  async function openBusy(count: number, localAddress?: string) {
    const opened = await Promise.all(Array.from({ length: count }, () => open({ localAddress })))
    const head = `${post}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`
    for (const { socket } of opened) socket.write(head)
    await until(() => opened.every(({ state, isOver }) => isOver() || state.text.includes('100 Continue')))
    return opened
  }
  const stillOpen = (opened: readonly Opened[]) => opened.filter(({ isOver }) => !isOver())

  test('past the limit are closed at once, which is logged once; those in use are not disturbed', async () => {
    await start({ env: { SALEPROOF_MAX_CONNECTIONS: '5', TRUST_PROXY: '127.0.0.1' } })
    const busy = await openBusy(5)
    for (let count = 0; count < 5; count++) {
      const refused = await open()
      await until(refused.isOver)
      expect(refused.state.text).toBe('')
    }
    expect(warnings()).toHaveLength(1)
    expect(JSON.parse(warnings()[0]!)).toMatchObject({ level: 40 })
    for (const { socket, state } of busy) {
      socket.write(body)
      await until(() => state.text.includes('HTTP/1.1 404 '))
    }
    await serve(await open())
  })

  test('that never sent a request give way first, the oldest before the others', async () => {
    await start({ env: { SALEPROOF_MAX_CONNECTIONS: '20', TRUST_PROXY: '127.0.0.1' } })
    const used = await open()
    await serve(used)
    const silent: Opened[] = []
    while (silent.length < 19) silent.push(await open())
    const begun = silent[0]!
    begun.socket.write('GET /healthz HT')
    for (let count = 1; count <= 3; count++) {
      await serve(await open())
      await until(() => silent.slice(0, count).every(({ isOver }) => isOver()))
      expect(stillOpen(silent)).toHaveLength(19 - count)
    }
    expect(used.isOver()).toBe(false)
    expect(warnings()).toHaveLength(1)
  })

  test('that are kept without use give way', async () => {
    await start({ env: { SALEPROOF_MAX_CONNECTIONS: '5', TRUST_PROXY: '127.0.0.1' } })
    const idle = await Promise.all(Array.from({ length: 5 }, () => open()))
    for (const opened of idle) await serve(opened)
    // For Node.js each line end begins the time that a connection may be idle.
    const drip = setInterval(() => {
      for (const { socket } of stillOpen(idle)) socket.write('\r\n')
    }, 20)
    await sleep(200)
    await serve(await open())
    await until(() => stillOpen(idle).length < 5)
    clearInterval(drip)
    expect(stillOpen(idle)).toHaveLength(4)
  })

  test('of one address are at most half of them', async () => {
    await start({ env: { SALEPROOF_MAX_CONNECTIONS: '10' } })
    const greedy = await openBusy(8, '127.0.0.2')
    expect(stillOpen(greedy)).toHaveLength(5)
    expect(warnings()).toHaveLength(1)
    await serve(await open())
    // It may give up one of its connections that it does not use.
    greedy.find(({ isOver }) => !isOver())!.socket.destroy()
    await until(async () => {
      const next = await open({ localAddress: '127.0.0.2' })
      next.socket.write(healthz)
      await until(() => next.isOver() || isServed(next))
      return isServed(next)
    })
    await serve(await open({ localAddress: '127.0.0.2' }))
  })

  test('of a proxy that TRUST_PROXY names are not limited by its address', async () => {
    await start({ env: { SALEPROOF_MAX_CONNECTIONS: '10', TRUST_PROXY: '127.0.0.2' } })
    const opened = await openBusy(8, '127.0.0.2')
    expect(stillOpen(opened)).toHaveLength(8)
    expect(warnings()).toEqual([])
  })
})
