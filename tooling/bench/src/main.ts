import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { Context } from './context.ts'
import { measureBulk } from './modes/bulk.ts'
import { compare } from './modes/compare.ts'
import { measureConsole } from './modes/console.ts'
import { measureCores } from './modes/cores.ts'
import { comparePostgres } from './modes/postgres.ts'
import { profile } from './modes/profile.ts'
import { soak } from './modes/soak.ts'
import { compareTimes } from './modes/timing.ts'
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
  say: (line) => console.error(line),
}

/** Each prints its results and tells whether all is well. */
const modes: Record<Mode, (context: Context, options: Options) => Promise<boolean>> = {
  bulk: measureBulk,
  compare,
  console: measureConsole,
  cores: measureCores,
  postgres: comparePostgres,
  profile,
  soak,
  timing: compareTimes,
}

try {
  const options = parseOptions(process.argv.slice(2))
  mkdirSync(context.cache, { recursive: true })
  process.exitCode = (await modes[options.mode](context, options)) ? 0 : 1
} catch (error) {
  const wrongUsage = error instanceof UsageError
  console.error(wrongUsage ? `${error.message}\n\n${usage}` : error)
  process.exitCode = wrongUsage ? 2 : 1
}
