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
export interface Storage {
  /** A store of the gate over what is kept. */
  readonly open: (now: () => number) => unknown
  /** Changes what is kept, as someone with an editor does. */
  readonly tamper: () => void
}

/** The package under test, from its sources or from its tarball. Its types stay there; a method that is missing fails the case. */
export interface Toolkit {
  readonly createClient: (options: never) => object
  readonly createGate: (options: never) => object
  readonly createStorage: () => Storage
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
export interface Environment extends Start {
  readonly storage: Storage
  time: number
}

const startTime = Date.parse('2026-01-01T00:00:00Z')

/** What is around a program that starts now. */
export const createEnvironment = (start: Start, storage: Storage): Environment => ({
  ...start,
  storage,
  time: startTime,
})

/** Functions in place of a key, by how they fail. */
const keyFunctions: Readonly<Record<string, (environment: Environment) => string>> = {
  empty: () => '',
  malformed: () => 'not a\nkey',
  expires: ({ apiKey, time }) => (time === startTime ? apiKey : ''),
  throws() {
    throw new Error('the vault is closed')
  },
}

function findKey(environment: Environment, name: unknown) {
  const read = keyFunctions[String(name)]
  return read ? () => read(environment) : environment.apiKey
}

/** Starts a program, with these options on top of those of the case; throws what the package throws. */
export function startProgram(toolkit: Toolkit, environment: Environment, options?: Step['options']): Program {
  const { baseUrl, fault } = environment
  const { keyFunction, ...given } = { ...environment.options, ...options }
  const client = toolkit.createClient({
    baseUrl,
    apiKey: findKey(environment, keyFunction),
    ...given,
  } as never)
  if (!fault.gate) return { client: client as Program['client'] }
  const { store, ...rest } = fault.gate
  const now = () => environment.time
  const gate = toolkit.createGate({
    client,
    now,
    ...rest,
    ...(store === true && { store: environment.storage.open(now) }),
  } as never)
  return { client: client as Program['client'], gate: gate as Required<Program>['gate'] }
}
