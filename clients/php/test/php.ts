import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findProgram, type Program } from '@saleproof/debian'
import { installInCache } from '@saleproof/process'

export interface PhpResult {
  stdout: string
  stderr: string
  exitCode: number | null
}

/** Runs PHP with these arguments, and with `env` on top of this process's environment. */
export type Php = (args: readonly string[], env?: Record<string, string>) => Promise<PhpResult>

const runner =
  (program: Program): Php =>
  async (args, env) => {
    const child = spawn(program.command, [...program.args, ...args], {
      env: { ...process.env, ...program.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const exitCode = new Promise<number | null>((resolve, reject) =>
      child.once('close', resolve).once('error', reject),
    )
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    return { stdout, stderr, exitCode: await exitCode }
  }

/** Debian's PHP where its packages were unpacked: without its configuration, which has absolute paths. */
export function unpackedPhp(folder: string, extensions: readonly string[]): Omit<Program, 'env'> | undefined {
  const binary = readdirSync(join(folder, 'usr/bin')).find((name) => /^php\d+\.\d+$/.test(name))
  const api = readdirSync(join(folder, 'usr/lib/php')).find((name) => /^\d{8}$/.test(name))
  if (!binary || !api) return undefined
  const enabled = extensions.flatMap((name) => ['-d', `extension=${name}`])
  return {
    command: join(folder, 'usr/bin', binary),
    args: ['-n', '-d', `extension_dir=${join(folder, 'usr/lib/php', api)}`, ...enabled],
  }
}

/** The PHP of the system, else Debian's; with the extensions cURL, intl and sodium. */
export const findPhp = (): Php =>
  runner(
    findProgram({
      title: 'PHP with cURL, intl and sodium',
      installed: ['php'],
      probe: ['-r', 'exit(array_diff(["curl", "intl", "sodium"], get_loaded_extensions()) ? 1 : 0);'],
      packages: ['php-cli', 'php-curl', 'php-intl', 'php-mbstring'],
      unpacked: (folder) => unpackedPhp(folder, ['curl', 'intl', 'mbstring', 'tokenizer']),
    }),
  )

/** The oldest PHP that passes work on, as a program for this machine: as WebAssembly it has no sodium. Its modules are of Amazon Linux. */
export function installOldPhp(): Php {
  const name = '@libphp/amazon-linux-2-v74'
  const native = join(installInCache('php-7.4', { [name]: '0.0.21' }), 'node_modules', name, 'native')
  const extensions = ['json', 'curl', 'sodium'].flatMap((extension) => ['-d', `extension=${extension}`])
  const args = ['-n', '-d', `extension_dir=${native}/php/modules`, ...extensions]
  return runner({ command: `${native}/php/php`, args, env: { LD_LIBRARY_PATH: `${native}/lib` } })
}

const wasmVersion = '3.1.56'
const wasmReleases = ['5-2', '7-4', '8-0', '8-1', '8-2', '8-3', '8-4', '8-5']

/**
 * PHP as WebAssembly: the oldest release that the client promises to work on, and the newest. A machine of 32 bits, with cURL and
 * without intl.
 */
export function installWasmPhp(release: '7.4' | '8.5'): Php {
  const used = ['7-4', '8-5']
  const unused = wasmReleases.filter((name) => !used.includes(name))
  const overrides = Object.fromEntries(unused.map((name) => [`@php-wasm/node-${name}`, '-']))
  const dependencies = { '@php-wasm/node': wasmVersion, '@php-wasm/universal': wasmVersion }
  const folder = installInCache('php-wasm', dependencies, overrides)
  const program = join(import.meta.dirname, 'programs/php-wasm.mjs')
  return runner({ command: process.execPath, args: [program, folder, release], env: {} })
}
