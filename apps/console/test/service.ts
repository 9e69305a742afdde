import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@saleproof/process'
import { records } from './records.ts'

const program = fileURLToPath(new URL('../../api/bin/saleproof.js', import.meta.url))

/** A single pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Another host, which serves the media of the items and records the requested paths. */
async function startMediaHost() {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'image/png' }).end(png)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requests, close: () => server.close() }
}

/** Shared with the tests of the service: what was compiled once is not compiled by each process. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../api/node_modules/.cache/compiled', import.meta.url))

function environment(extra: Record<string, string>): Record<string, string> {
  const { PATH = '', TMPDIR = '' } = process.env
  return { PATH, NODE_COMPILE_CACHE, ...(TMPDIR && { TMPDIR }), ...extra }
}

function waitForUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      output += text
      const match = /listening on (http:\/\/\S+)/.exec(output)
      if (match) resolve(match[1]!)
    })
    child.on('exit', (code) => reject(new Error(`exit ${code}: ${output}`)))
  })
}

export interface ServiceOptions {
  env?: Record<string, string>
  /** The path prefix of the public URL. */
  prefix?: string
}

/** Starts the built service with its own data on a free port. */
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
  const run = (args: readonly string[], more: Record<string, string> = {}) => {
    const options = { cwd: folder, env: environment({ ...env, ...more }) }
    return promisify(execFile)(process.execPath, [program, ...args], options)
  }
  await run(['import', file])
  // `PUBLIC_URL` has to name it.
  const port = await freePort()
  const publicUrl = prefix ? { PUBLIC_URL: `http://127.0.0.1:${port}${prefix}` } : {}
  const settings = {
    PORT: String(port),
    WEB_CONCURRENCY: '1',
    SALEPROOF_FAILURE_LIMIT: 'off',
    ...publicUrl,
    ...env,
  }
  const child = spawn(process.execPath, [program, 'serve'], { cwd: folder, env: environment(settings) })
  const url = await waitForUrl(child)
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
