import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { records } from './records.ts'

const program = fileURLToPath(new URL('../../api/bin/saleproof.js', import.meta.url))

/** A dot: what a medium looks like does not matter, only whether it was asked for. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Another host, which the media of the items are at. `asked` is what it was asked for. */
async function startMediaHost() {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'image/png' }).end(png)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked, close: () => server.close() }
}

/** A port that nobody has right now: what the service is told of its own address may have to name it. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function environment(more: Record<string, string>): Record<string, string> {
  const { PATH = '', TMPDIR = '' } = process.env
  return { PATH, ...(TMPDIR && { TMPDIR }), ...more }
}

function listeningOn(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      said += text
      const found = /listening on (http:\/\/\S+)/.exec(said)
      if (found) resolve(found[1]!)
    })
    child.on('exit', (code) => reject(new Error(`exit ${code}: ${said}`)))
  })
}

export interface ServiceOptions {
  env?: Record<string, string>
  /** A path that the public address has beyond the host. */
  prefix?: string
}

/** The service as it is built and installed, with data of its own, on a free port. */
export async function startService({ env = {}, prefix = '' }: ServiceOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'saleproof-console-'))
  const media = await startMediaHost()
  const file = join(folder, 'records.ndjson')
  await writeFile(
    file,
    records(media.url)
      .map((record) => JSON.stringify(record))
      .join('\n'),
  )
  const run = (args: readonly string[]) =>
    promisify(execFile)(process.execPath, [program, ...args], { cwd: folder, env: environment(env) })
  await run(['import', file])
  const port = await freePort()
  const address = prefix ? { PUBLIC_URL: `http://127.0.0.1:${port}${prefix}` } : {}
  const settings = {
    PORT: String(port),
    WEB_CONCURRENCY: '1',
    SALEPROOF_FAILURE_LIMIT: 'off',
    ...address,
    ...env,
  }
  const child = spawn(process.execPath, [program, 'serve'], { cwd: folder, env: environment(settings) })
  const url = await listeningOn(child)
  return {
    /** With the prefix. */
    url: url + prefix,
    media,
    run,
    database: join(folder, 'data/saleproof.db'),
    async close() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      media.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type TestService = Awaited<ReturnType<typeof startService>>
