import type { FaultCase, Step } from './table.ts'

/** What a check or a call gave, as far as cases compare it. */
export interface Result {
  readonly outcome?: string
  readonly reason?: string
  readonly source?: string
  readonly count?: number
  readonly error?: { readonly kind?: string; readonly code?: string | undefined; readonly message?: string }
}

type Check = (code: string, options?: Readonly<Record<string, unknown>>) => Promise<Result>

/** What outlives a restart of the program. */
export interface Disk {
  /** A store of the gate over what is kept. */
  readonly open: (now: () => number) => unknown
  /** Changes what is kept, as someone with an editor does. */
  readonly tamper: () => void
}

/** The package under test, from its sources or from its tarball. Its types stay there; a method that is missing fails the case. */
export interface Toolkit {
  readonly createClient: (options: never) => object
  readonly createGate: (options: never) => object
  readonly createDisk: () => Disk
}

/** A running program: a client, maybe behind a gate. */
export interface Program {
  readonly client: Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>> & {
    readonly checkPurchase: Check
  }
  readonly gate?: { readonly check: Check; readonly forget: (code: string) => Promise<void> }
}

/** What the server says of a case that begins. */
export interface Start {
  readonly fault: FaultCase
  readonly baseUrl: string
  readonly control: string
  readonly apiKey: string
  readonly code: string
  readonly itemId: number
  readonly options: Readonly<Record<string, unknown>>
}

/** What is around the program. */
export interface World extends Start {
  readonly disk: Disk
  time: number
}

const startTime = Date.parse('2026-01-01T00:00:00Z')

/** What is around a program that starts now. */
export const createWorld = (start: Start, disk: Disk): World => ({ ...start, disk, time: startTime })

/** Functions in place of a key, by how they fail. */
const keyFunctions: Readonly<Record<string, (world: World) => string>> = {
  empty: () => '',
  malformed: () => 'not a\nkey',
  expires: ({ apiKey, time }) => (time === startTime ? apiKey : ''),
  throws() {
    throw new Error('the vault is closed')
  },
}

function keyOf(world: World, name: unknown) {
  const read = keyFunctions[String(name)]
  return read ? () => read(world) : world.apiKey
}

/** Starts a program, with these options on top of those of the case; throws what the package throws. */
export function startProgram(toolkit: Toolkit, world: World, options?: Step['options']): Program {
  const { baseUrl, fault } = world
  const { keyFunction, ...given } = { ...world.options, ...options }
  const client = toolkit.createClient({ baseUrl, apiKey: keyOf(world, keyFunction), ...given } as never)
  if (!fault.gate) return { client: client as Program['client'] }
  const { store, ...rest } = fault.gate
  const now = () => world.time
  const gate = toolkit.createGate({
    client,
    now,
    ...rest,
    ...(store === true && { store: world.disk.open(now) }),
  } as never)
  return { client: client as Program['client'], gate: gate as Required<Program>['gate'] }
}
