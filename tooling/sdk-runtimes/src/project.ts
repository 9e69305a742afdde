import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pack, runSync } from '@saleproof/process'
import { build } from 'esbuild'
import { commands, installRuntimes } from './runtimes.ts'

const run = promisify(execFile)
const sdk = join(import.meta.dirname, '../../../packages/sdk')
const programs = join(import.meta.dirname, '../programs')

/** An empty project with the packed tarball, installed as a user does, and the programs that try it on each runtime. */
export async function createProject() {
  const runtimes = installRuntimes()
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-runtimes-'))
  const tarball = pack(sdk, join(folder, 'packed'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const flags = ['--offline', '--no-audit', '--no-fund', '--loglevel=error']
  runSync(['npm', 'install', ...flags, tarball], { cwd: folder, env: process.env })
  cpSync(programs, folder, { recursive: true })
  // With what runs the cases: the oldest runtimes cannot read its TypeScript.
  await build({
    entryPoints: [
      'faults',
      'faults-miniflare',
      'faults-worker',
      'passes',
      'passes-worker',
      'passes-page',
    ].map((name) => join(programs, `${name}.mjs`)),
    bundle: true,
    external: ['@saleproof/sdk'],
    format: 'esm',
    platform: 'node',
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    logLevel: 'silent',
  })

  const bundle = (entry: string, conditions: string[]) =>
    build({
      entryPoints: [join(folder, entry)],
      bundle: true,
      format: 'esm',
      conditions,
      outfile: join(folder, `${entry}.bundle.mjs`),
      logLevel: 'silent',
    })

  /** What a program prints, as JSON. `url`: the server that it talks to. */
  async function runProgram(command: readonly string[], url: string): Promise<unknown> {
    const env = { PATH: process.env.PATH, HOME: folder, SALEPROOF_URL: url, DENO_NO_UPDATE_CHECK: '1' }
    const [file = '', ...args] = command
    const maxBuffer = 16_777_216
    const { stdout } = await run(file, args, { cwd: folder, env, timeout: 300_000, maxBuffer })
    return JSON.parse(stdout)
  }

  return {
    folder,
    runtimes,
    bundle,
    run: (runtime: string, program: string, url: string) =>
      runProgram([...(commands[runtime]?.(runtimes) ?? []), join(folder, program)], url),
    /** Runs a worker on workerd, bundled with the conditions of Wrangler, which sets `browser` as well. */
    async runWorker(host: string, worker: string, date: string, url: string) {
      await bundle(worker, ['workerd', 'worker', 'browser'])
      const [node = ''] = commands['Node.js 24']?.(runtimes) ?? []
      const files = [join(folder, host), runtimes, join(folder, `${worker}.bundle.mjs`), date]
      return runProgram([node, ...files], url)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export type Project = Awaited<ReturnType<typeof createProject>>
