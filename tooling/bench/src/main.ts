import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { Context } from './context.ts'
import { measureBulk } from './modes/bulk.ts'
import { compare, compareBuilds } from './modes/compare.ts'
import { measureConsole } from './modes/console.ts'
import { type Mode, type Options, parseOptions, UsageError, usage } from './options.ts'

const home = resolve(import.meta.dirname, '..')
const { PATH, HOME, TMPDIR } = process.env

const context: Context = {
  home,
  api: resolve(home, '../../apps/api'),
  cache: resolve(home, '.cache'),
  node: process.execPath,
  cores: availableParallelism(),
  env: { PATH, HOME, TMPDIR },
  log: (line) => console.error(line),
}

/** Each prints its results and returns whether all is well. */
const modes: Record<Mode, (context: Context, options: Options) => Promise<boolean>> = {
  compare,
  builds: compareBuilds,
  bulk: measureBulk,
  console: measureConsole,
}

try {
  const options = parseOptions(process.argv.slice(2))
  if (options.mode !== 'console' && spawnSync('wrk', ['-v']).error)
    throw new UsageError('wrk is missing: apt install wrk')
  mkdirSync(context.cache, { recursive: true })
  process.exitCode = (await modes[options.mode](context, options)) ? 0 : 1
} catch (error) {
  const isUsageError = error instanceof UsageError
  console.error(isUsageError ? `${error.message}\n\n${usage}` : error)
  process.exitCode = isUsageError ? 2 : 1
}
