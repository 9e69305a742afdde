import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@saleproof/schema'
import { expect, test } from 'vitest'
import { parseAnswers } from '../support/client.ts'
import { accountText, purchaseTexts } from '../support/expected.ts'
import { startService, type TestService } from '../support/harness.ts'
import { codes, records, secretKey } from '../support/records.ts'

/** A connection and everything that came over it. */
async function open({ url }: TestService) {
  let [text, closedAt] = ['', 0]
  const socket: Socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('data', (chunk) => {
    text += chunk
  })
  const closed = new Promise<void>((resolve) =>
    socket.on('close', () => {
      closedAt = Date.now()
      resolve()
    }),
  )
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return {
    closed,
    closedAt: () => closedAt,
    answers: () => parseAnswers(text),
    write: (bytes: string) => void socket.write(bytes),
    async answered(count = 1) {
      while (!closedAt && (text.match(/HTTP\/1\.1 \d/g) ?? []).length < count) await sleep(5)
    },
  }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: h\r\nX-Api-Key: ${secretKey}\r\n\r\n`
const body = JSON.stringify({ purchase_code: codes.active })
const post = `POST ${operations.validatePurchase.path} HTTP/1.1\r\nHost: h\r\nX-Api-Key: ${secretKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`

test('health and readiness', async () => {
  const service = await startService({ records })
  try {
    const health = await service.request({ path: '/healthz' })
    expect([health.status, health.text]).toEqual([200, '{"status":"ok"}'])
    const ready = await service.request({ path: '/readyz' })
    expect([ready.status, ready.text]).toEqual([
      200,
      '{"status":"ready","checks":{"database":"ok","migrations":"ok","secret":"ok"}}',
    ])
    expect(ready.headers['cache-control']).toBe('no-store')
    for (const table of ['Deployment', 'ApiKey'])
      await service.database.prisma.$executeRawUnsafe(`ALTER TABLE "${table}" RENAME TO "Lost${table}"`)
    const broken = await service.request({ path: '/readyz' })
    expect([broken.status, JSON.parse(broken.text)]).toMatchObject([
      503,
      { status: 'not ready', checks: { database: 'failed', migrations: 'unknown', secret: 'unknown' } },
    ])
    expect(broken.headers['retry-after']).toBe('1')
    expect((await service.request({ path: '/healthz' })).status).toBe(200)
  } finally {
    await service.close()
  }
})

test('a stop finishes what is under way and closes the rest', async () => {
  const service = await startService({ records })
  const [silent, idle, busy, kept] = await Promise.all([
    open(service),
    open(service),
    open(service),
    open(service),
  ])
  for (const connection of [idle, kept]) {
    connection.write(get(operations.getAccount.path))
    await connection.answered()
    expect(connection.answers()[0]!.headers.connection).toBe('keep-alive')
  }
  busy.write(post)
  await sleep(300)

  const began = Date.now()
  const stopped = service.close()
  await sleep(100)
  await expect(open(service)).rejects.toMatchObject({ code: 'ECONNREFUSED' })

  kept.write(get('/readyz'))
  await kept.closed
  const readiness = kept.answers()[1]!
  expect([readiness.status, JSON.parse(readiness.text).status]).toEqual([503, 'stopping'])
  expect(readiness.headers.connection).toBe('close')

  await Promise.all([silent.closed, idle.closed])
  for (const { closedAt } of [silent, idle]) {
    expect(closedAt() - began).toBeGreaterThan(900)
    expect(closedAt() - began).toBeLessThan(4000)
  }
  expect(silent.answers()).toEqual([])
  expect(idle.answers()).toHaveLength(1)

  await sleep(300)
  expect(busy.closedAt()).toBe(0)
  busy.write(body)
  await busy.closed
  const [answer] = busy.answers()
  expect(answer!.text).toBe(purchaseTexts.base.active)
  expect(answer!.headers.connection).toBe('close')
  await stopped
  expect(Date.now() - began).toBeLessThan(8500)
})

// Idle connections would be waited for a second.
test('a stop without connections takes no time', { retry: 3 }, async () => {
  const service = await startService()
  const began = Date.now()
  await service.close()
  expect(Date.now() - began).toBeLessThan(1000)
})

test('connections are kept between requests', async () => {
  const service = await startService({ records })
  const connection = await open(service)
  for (let count = 1; count <= 3; count++) {
    connection.write(get(operations.getAccount.path))
    await connection.answered(count)
  }
  await sleep(50)
  expect(connection.answers().map(({ text }) => text)).toEqual([accountText, accountText, accountText])
  await service.close()
  await connection.closed
})
