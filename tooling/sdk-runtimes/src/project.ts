import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Command, pack, run, runSync } from '@saleproof/process'
import { build } from 'esbuild'
import { commands, installRuntimes } from './runtimes.ts'

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

  const commandFor = (runtime: string): Command => commands[runtime]?.(runtimes) ?? [runtime]

  /** What a program prints, as JSON. `url`: the server that it talks to. */
  async function runProgram(command: Command, url: string): Promise<unknown> {
    const env = { HOME: folder, SALEPROOF_URL: url, DENO_NO_UPDATE_CHECK: '1' }
    const { code, stdout, stderr } = await run(command, { cwd: folder, env })
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${stderr}`)
    return JSON.parse(stdout)
  }

  return {
    folder,
    runtimes,
    commandFor,
    bundle,
    run: (runtime: string, program: string, url: string) =>
      runProgram([...commandFor(runtime), join(folder, program)], url),
    /** Runs a worker on workerd, bundled with the conditions of Wrangler, which sets `browser` as well. */
    async runWorker(host: string, worker: string, date: string, url: string) {
      await bundle(worker, ['workerd', 'worker', 'browser'])
      const [node] = commandFor('Node.js 24')
      const files = [join(folder, host), runtimes, join(folder, `${worker}.bundle.mjs`), date]
      return runProgram([node, ...files], url)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export type Project = Awaited<ReturnType<typeof createProject>>
