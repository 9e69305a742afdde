import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { run } from './command.ts'
import { root } from './repository.ts'

vi.setConfig({ testTimeout: 180_000 })

/** A registry with its own response to a request for advisories. */
async function registry(respond: (packages: Record<string, string[]>) => { status: number; body: object }) {
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { status, body } = respond(JSON.parse(Buffer.concat(chunks).toString() || '{}'))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const command = new URL('./audit-dependencies.ts', import.meta.url).pathname

async function auditWith(url: string, ...more: string[]) {
  const { HOME = '' } = process.env
  const env = { HOME, npm_config_registry: url, pnpm_config_registry: url }
  return run([process.execPath, command, ...more], { cwd: root, env })
}

test('every package is audited, and no advisory means success', async () => {
  const audited = new Set<string>()
  const url = await registry((packages) => {
    for (const name of Object.keys(packages)) audited.add(name)
    return { status: 200, body: {} }
  })
  expect(await auditWith(url)).toEqual({
    code: 0,
    stdout: 'no known vulnerability in any dependency\n',
    stderr: '',
  })
  for (const name of ['koa', 'better-sqlite3', '@prisma/client', '@opentelemetry/core', 'react', 'vitest'])
    expect(audited).toContain(name)
})

test('a known vulnerability is named and fails', async () => {
  const url = await registry(({ koa }) => ({
    status: 200,
    body: koa
      ? {
          koa: [
            {
              id: 1,
              url: 'https://example.com/advisory',
              title: 'Wrong responses',
              severity: 'moderate',
              vulnerable_versions: '<99',
              cwe: [],
              cvss: { score: 5, vectorString: null },
            },
          ],
        }
      : {},
  }))
  const { code, stderr } = await auditWith(url)
  expect(stderr).toBe('moderate: koa <99: Wrong responses (https://example.com/advisory)\n')
  expect(code).toBe(1)
})

test('a registry without advisories is reported, and fails a release', async () => {
  const url = await registry(() => ({ status: 405, body: {} }))
  const { code, stderr, stdout } = await auditWith(url)
  expect(stderr).toMatch(/^NOT AUDITED: the registry returned no advisories: .*405/)
  expect([code, stdout]).toEqual([0, ''])
  expect((await auditWith(url, '--required')).code).toBe(1)
})
