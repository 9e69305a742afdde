import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { get } from './cells.ts'
import { runClient } from './client.ts'
import { writeRequests } from './request-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-'))
const file = join(folder, 'requests')
const seen = new Set<string>()
const server = createServer((request, response) => {
  seen.add(request.url!)
  response.statusCode = request.url === '/missing' ? 404 : 200
  response.end('hello')
})
let port = 0

beforeAll(async () => {
  writeRequests(file, [get('/a'), get('/b'), get('/missing')])
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as { port: number }).port
})

afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

test('keeps to its rate and asks for everything in turn', async () => {
  const load = { port, file, offset: 0, seconds: 1, connections: 4 }
  const { requests, refused, failed } = await runClient(load, { rate: 300 })
  expect(seen).toEqual(new Set(['/a', '/b', '/missing']))
  // Arrivals are random: six standard deviations around what is expected.
  expect(requests).toBeGreaterThan(300 - 6 * Math.sqrt(300))
  expect(requests).toBeLessThan(300 + 6 * Math.sqrt(300))
  expect(Math.abs(refused - requests / 3)).toBeLessThan(2)
  expect(failed).toBe(0)
})

test('without a rate it asks as fast as it is answered', async () => {
  const load = { port, file, offset: 0, seconds: 0.3, connections: 4 }
  const { requests, seconds } = await runClient(load, { rate: undefined })
  expect(requests / seconds).toBeGreaterThan(400)
})
