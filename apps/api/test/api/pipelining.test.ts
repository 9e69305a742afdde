import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@saleproof/schema'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchange, exchangeBytes, parseAnswers } from '../support/client.ts'
import { purchaseTexts } from '../support/expected.ts'
import { startService, type TestService } from '../support/harness.ts'
import { codes, records, secretKey } from '../support/records.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ records })
})
afterAll(() => service.close())

const key = `Host: h\r\nX-Api-Key: ${secretKey}\r\n`
const purchase = JSON.stringify({ purchase_code: codes.active })
const json = 'Content-Type: application/json\r\n'
const validation = `POST ${operations.validatePurchase.path} HTTP/1.1\r\n${key}${json}`
const anonymous = 'GET / HTTP/1.1\r\nHost: h\r\n\r\n'
const last = 'GET /healthz HTTP/1.1\r\nHost: h\r\nX-Request-Id: last\r\nConnection: close\r\n\r\n'
const statusesOf = (text: string) => parseAnswers(text).map(({ status }) => status)

const open = (options: { localAddress?: string } = {}) =>
  connect({ host: '127.0.0.1', port: Number(new URL(service.url).port), ...options })

/** The requests that the service has begun and not finished, of each connection. */
async function underWay(run: () => Promise<void>) {
  const counts = new Map<Socket, number>()
  const seen = { most: 0, begun: 0 }
  function onStart(message: unknown) {
    const { socket } = message as { socket: Socket }
    const count = (counts.get(socket) ?? 0) + 1
    counts.set(socket, count)
    seen.begun++
    seen.most = Math.max(seen.most, count)
  }
  function onFinish(message: unknown) {
    const { socket } = message as { socket: Socket }
    counts.set(socket, (counts.get(socket) ?? 0) - 1)
  }
  subscribe('http.server.request.start', onStart)
  subscribe('http.server.response.finish', onFinish)
  try {
    await run()
  } finally {
    unsubscribe('http.server.request.start', onStart)
    unsubscribe('http.server.response.finish', onFinish)
  }
  return seen
}

describe('requests that are sent ahead', () => {
  test('are begun one at a time', async () => {
    const { most, begun } = await underWay(async () => {
      const text = await exchange(service.url, anonymous.repeat(100) + last)
      expect(statusesOf(text)).toHaveLength(101)
    })
    expect([most, begun]).toEqual([1, 101])
  })

  test('are not begun while the client does not read the responses', async () => {
    const socket = open()
    socket.pause()
    const { begun } = await underWay(async () => {
      socket.write('GET /openapi.json HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(900))
      await sleep(500)
    })
    socket.destroy()
    expect(begun).toBeGreaterThan(0)
    // What the buffers of both systems take.
    expect(begun).toBeLessThan(300)
  })

  test('are answered after the client has closed its end', async () => {
    const bytes = `${anonymous.repeat(20)}${validation}Content-Length: ${purchase.length}\r\n\r\n${purchase}`
    for (const text of [bytes, anonymous.repeat(2), anonymous.repeat(3)]) {
      const received = await exchangeBytes(service.url, text, async () => {})
      const count = text === bytes ? 21 : text.length / anonymous.length
      expect(statusesOf(received.toString())).toHaveLength(count)
    }
  })

  test('are answered in their order however their bytes arrive', async () => {
    const sized = `${validation}Content-Length: ${purchase.length}\r\n\r\n${purchase}`
    const chunked = `${validation}Transfer-Encoding: chunked\r\n\r\n${purchase.length.toString(16)}\r\n${purchase}\r\n0\r\n\r\n`
    const kinds = [
      [anonymous, 404],
      [sized, 200],
      [chunked, 200],
      [`GET /healthz HTTP/1.1\r\n${key}\r\n`, 200],
      ['GET /openapi.json HTTP/1.1\r\nHost: h\r\n\r\n', 200],
      [`${validation}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`, 400],
    ] as const
    const request = fc.constantFrom(...kinds)
    const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 2, maxLength: 40 }), sizes, async (sent, pieces) => {
        const bytes = sent.map(([text]) => text).join('') + last
        const socket = open()
        socket.setNoDelay(true)
        const chunks: Buffer[] = []
        socket.on('data', (chunk) => chunks.push(chunk))
        const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
        for (let at = 0, index = 0; at < bytes.length; index++) {
          const size = pieces[index % pieces.length]!
          socket.write(bytes.slice(at, at + size))
          at += size
          if (index % 8 === 0) await sleep(1)
        }
        await closed
        const statuses = statusesOf(Buffer.concat(chunks).toString())
        expect(statuses).toEqual([...sent.map(([, status]) => status), 200])
      }),
      { numRuns: 25 },
    )
  })

  test('are answered however many they are', async () => {
    const text = await exchange(service.url, anonymous.repeat(1800) + last)
    expect(statusesOf(text)).toEqual([...Array(1800).fill(404), 200])
  })

  test('do not hold up other connections', async () => {
    const flood = Array.from({ length: 20 }, () => open())
    for (const socket of flood) {
      socket.on('error', () => {})
      socket.resume()
    }
    await Promise.all(flood.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
    const served = () => service.logs.filter((line) => line.includes('route_not_found')).length
    const before = served()
    for (const socket of flood) socket.write(anonymous.repeat(900))
    const between: number[] = []
    while (served() === before) await sleep(1)
    for (let count = 0; count < 20; count++) {
      const began = served()
      const text = await exchange(
        service.url,
        `${validation}Connection: close\r\nContent-Length: ${purchase.length}\r\n\r\n${purchase}`,
      )
      expect(parseAnswers(text)[0]!.text).toBe(purchaseTexts.base.active)
      between.push(served() - began)
    }
    for (const socket of flood) socket.destroy()
    expect(Math.max(...between)).toBeGreaterThan(0)
    expect(Math.max(...between)).toBeLessThan(600)
  })
})

describe('a request that asks for another protocol', () => {
  const upgrade = `GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`

  test.each([
    ['alone', upgrade, [200]],
    ['before others', upgrade + anonymous + last, [200]],
    ['after another', anonymous + upgrade, [404, 200]],
    ['among others', anonymous + upgrade + anonymous + last, [404, 200]],
    [
      'with a body',
      `${validation}Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: ${purchase.length}\r\n\r\n${purchase}${last}`,
      [200],
    ],
  ])(
    '%s is answered as HTTP/1.1 and ends the connection',
    async (_where, bytes, statuses) => {
      const answers = parseAnswers(await exchange(service.url, bytes))
      expect(answers.map(({ status }) => status)).toEqual(statuses)
      expect(answers.at(-1)!.headers.connection).toBe('close')
    },
    8000,
  )
})

describe('an invalid Host', () => {
  test.each(['a, b', 'user@h', 'h:80:80'])(
    'of "%s" ends the connection',
    async (host) => {
      const before = service.logs.length
      const bytes = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n${anonymous}`
      const answers = parseAnswers(await exchange(service.url, bytes))
      expect(answers.map(({ status, headers }) => [status, headers.connection])).toEqual([[400, 'close']])
      expect(service.logs.slice(before)).toHaveLength(1)
    },
    8000,
  )
})
