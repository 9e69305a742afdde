import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@saleproof/schema'
import { expect, onTestFinished, test } from 'vitest'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { spawnSaleproof } from '../support/process.ts'
import { records, secretKey } from '../support/records.ts'
import { adminToken, createHome, importRecords, serveUnderTraffic } from './serving.ts'

async function connectTo(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

async function ask(socket: Socket, head: readonly string[], body = '') {
  const lines = [...head, 'Host: h', `Content-Length: ${Buffer.byteLength(body)}`, '', body]
  socket.write(lines.join('\r\n'))
  const [answer] = await once(socket, 'data')
  return Number(String(answer).split(' ')[1])
}

const limitedTo = (limit: number) => ['sh', '-c', `ulimit -n ${limit}; exec "$@"`, 'sh']

/** The least limit with which Node.js loads a script; below, it ends with its own message or by a signal. */
function leastOfNode(folder: string): number {
  const script = join(folder, 'empty.js')
  writeFileSync(script, '')
  const loads = (limit: number) => {
    const [shell = '', ...rest] = limitedTo(limit)
    return spawnSync(shell, [...rest, process.execPath, script]).status === 0
  }
  for (let limit = 8; ; limit++) if (loads(limit)) return limit
}

test('a limit of too few descriptors is refused in one line, whichever it is', async () => {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const least = leastOfNode(folder)
  expect(least).toBeLessThanOrEqual(22)
  for (let limit = least; limit < 64; limit++) {
    const command = [['serve'], ['doctor'], ['account', 'list']][limit % 3] ?? []
    const said = `saleproof needs 64 open files or more, and the system allows ${limit}: raise the limit (ulimit -n, LimitNOFILE) and try again.\n`
    const env = { PORT: '0' }
    const { code, stdout, stderr } = await spawnSaleproof(command, {
      cwd: folder,
      env,
      within: limitedTo(limit),
    })
    expect([limit, code, stdout, stderr]).toEqual([limit, 1, '', said])
  }
})

test('with no descriptor left the service answers what it can, and goes on when there are some', async () => {
  const cwd = await createHome()
  const { url } = await serveUnderTraffic({ cwd, within: limitedTo(90) })
  const sockets: Socket[] = []
  for (let count = 0; count < 120; count++) sockets.push(await connectTo(url))
  await sleep(500)
  const [first, second] = sockets.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded)
  const get = `GET ${operations.getAccount.path} HTTP/1.1`
  expect(await ask(first!, [get, `X-Api-Key: ${secretKey}`])).toBe(200)
  const post = ['POST /admin/import HTTP/1.1', `Authorization: Bearer ${adminToken}`]
  expect(await ask(second!, post, ndjson(records))).toBe(503)
  for (const socket of sockets) socket.destroy()
  await expect.poll(async () => (await importRecords(url, records)).status).toBe(200)
})
