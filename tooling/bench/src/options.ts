import { parseArgs } from 'node:util'
import { type DataSetName, dataSetNames } from './data/data-sets.ts'
import { cellNames } from './load/cells.ts'
import { floorName, postgresServerNames, quickServerNames, serverNames } from './servers.ts'

export type Mode = 'compare' | 'postgres' | 'bulk' | 'cores' | 'profile' | 'timing' | 'soak' | 'console'

export interface Options {
  mode: Mode
  cells: readonly string[]
  servers: readonly string[]
  data: readonly DataSetName[]
  quick: boolean
  json: string | undefined
  check: string | undefined
  /** How long a soak lasts. */
  minutes: number
}

/** What was typed is not what the bench takes. */
export class UsageError extends Error {}

export const usage = `pnpm bench [--only CELL,…] [--servers NAME,…] [--data NAME,…] [--quick] [--json FILE] [--check FILE]
pnpm bench --cores | --profile [--only CELL,…] [--data NAME,…] [--quick]
pnpm bench postgres [--only CELL,…] [--servers NAME,…] [--data NAME,…] [--quick] [--json FILE] [--check FILE]
pnpm bench bulk [--data NAME,…]
pnpm bench timing [--data NAME,…]
pnpm bench soak [--minutes N]
pnpm bench console [--quick]

cells    ${cellNames.join(', ')}
servers  ${serverNames.join(', ')} (the floor always runs)
         postgres: ${postgresServerNames.join(', ')}
data     ${dataSetNames.join(', ')}`

function choose<T extends string>(
  text: string | undefined,
  choices: readonly T[],
  option: string,
  fallback = choices,
) {
  if (text === undefined) return fallback
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !choices.includes(name as T))
  if (unknown !== undefined) throw new UsageError(`--${option} takes some of ${choices.join(', ')}`)
  return choices.filter((choice) => names.includes(choice))
}

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
        json: { type: 'string' },
        check: { type: 'string' },
        cores: { type: 'boolean', default: false },
        profile: { type: 'boolean', default: false },
        minutes: { type: 'string', default: '10' },
      },
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

const namedModes = ['postgres', 'bulk', 'timing', 'soak', 'console'] as const

/** What is compared: the floor first, which always runs. */
function serversOf(mode: Mode, names: string | undefined, quick: boolean): string[] {
  const onPostgres = mode === 'postgres'
  const all = onPostgres ? postgresServerNames : serverNames
  const floor = onPostgres ? postgresServerNames[0]! : floorName
  const chosen = choose(names, all, 'servers', quick && !onPostgres ? quickServerNames : all)
  return [floor, ...chosen.filter((name) => name !== floor)]
}

function modeOf(
  positionals: readonly string[],
  { cores, profile }: { cores: boolean; profile: boolean },
): Mode {
  const modes: Mode[] = []
  if (cores) modes.push('cores')
  if (profile) modes.push('profile')
  for (const name of positionals) {
    const mode = namedModes.find((known) => known === name)
    if (!mode) throw new UsageError(`there is no "${name}", only ${namedModes.join(', ')}`)
    modes.push(mode)
  }
  if (modes.length > 1)
    throw new UsageError(`one of ${namedModes.join(', ')}, --cores and --profile at a time`)
  return modes[0] ?? 'compare'
}

/** What to measure. Throws a `UsageError` that names what is wrong. */
export function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args)
  const { quick } = values
  const minutes = Number(values.minutes)
  if (!(minutes >= 1)) throw new UsageError('--minutes takes a number of at least 1')
  const mode = modeOf(positionals, values)
  return {
    mode,
    cells: choose(values.only, cellNames, 'only'),
    servers: serversOf(mode, values.servers, quick),
    data: choose(values.data, dataSetNames, 'data'),
    quick,
    json: values.json,
    check: values.check,
    minutes,
  }
}
