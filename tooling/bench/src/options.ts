import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { dataSetNames } from './data/data-sets.ts'
import { scenarioNames } from './load/scenarios.ts'
import { servers } from './servers.ts'

export const modes = ['compare', 'builds', 'bulk', 'console'] as const

export type Mode = (typeof modes)[number]

export type Options = ReturnType<typeof parseOptions>

/** The command line is wrong. */
export class UsageError extends Error {}

const serverNames = servers.map(({ name }) => name)

export const usage = `pnpm bench [--only SCENARIO,…] [--servers NAME,…] [--data NAME,…] [--postgres] [--quick] [--rounds N] [--unpinned] [--profile] [--json FILE]
pnpm bench builds --old DIR --new DIR [--postgres] [--only SCENARIO,…] [--data NAME,…] [--quick] [--rounds N] [--json FILE]
pnpm bench bulk [--data NAME]
pnpm bench console [--postgres] [--json FILE]

scenarios  ${scenarioNames.join(', ')}
servers    ${serverNames.join(', ')} (the first always runs)
data       ${dataSetNames.join(', ')}`

const quickServers = ['baseline', 'saleproof']
/** Without two processes, which run only when they are named. */
const usualServers = [...quickServers, 'saleproof-off']

function choose<T extends string>(
  text: string | undefined,
  choices: readonly T[],
  option: string,
  byDefault = choices,
): readonly T[] {
  if (text === undefined) return byDefault
  const chosen = text.split(',').map((name) => name.trim())
  if (!chosen.every((name) => choices.some((choice) => choice === name)))
    throw new UsageError(`--${option} takes some of ${choices.join(', ')}`)
  return choices.filter((choice) => chosen.includes(choice))
}

/** The baseline always runs. */
const chooseServers = (text: string | undefined, quick: boolean): readonly string[] =>
  choose(text && `baseline,${text}`, serverNames, 'servers', quick ? quickServers : usualServers)

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        only: { type: 'string' },
        servers: { type: 'string' },
        data: { type: 'string' },
        quick: { type: 'boolean', default: false },
        rounds: { type: 'string' },
        unpinned: { type: 'boolean', default: false },
        json: { type: 'string' },
        profile: { type: 'boolean', default: false },
        postgres: { type: 'boolean', default: false },
        old: { type: 'string' },
        new: { type: 'string' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function readCount(text: string, option: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1) throw new UsageError(`--${option} takes a whole number from 1`)
  return count
}

/** Parses the command line. Throws a `UsageError`. */
export function parseOptions(args: readonly string[]) {
  const { values, positionals } = parse(args)
  const [name = 'compare', ...rest] = positionals
  const mode = modes.find((known) => known === name)
  if (!mode || rest.length) throw new UsageError(`one of ${modes.join(', ')}`)
  if (mode === 'builds' && !(values.old && values.new))
    throw new UsageError('builds takes --old DIR and --new DIR')
  return {
    mode,
    scenarios: choose(values.only, scenarioNames, 'only'),
    servers: chooseServers(values.servers, values.quick),
    data: choose(values.data, dataSetNames, 'data'),
    quick: values.quick,
    rounds: values.rounds === undefined ? undefined : readCount(values.rounds, 'rounds'),
    /** Whether server and load have a core each. */
    pinned: !values.unpinned,
    json: values.json,
    /** Whether the service runs under Node's profiler. */
    profile: values.profile,
    postgres: values.postgres,
    old: resolve(values.old ?? ''),
    current: resolve(values.new ?? ''),
  }
}
