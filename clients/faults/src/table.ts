// The types of clients/faults.json; clients/README.md describes them.

/** What the server does with one request. */
export interface Response {
  readonly like?: string
  readonly for?: Readonly<Record<string, string | Response>>
  readonly status?: string
  readonly headers?: readonly string[]
  readonly body?: string
  readonly json?: unknown
  readonly items?: number
  readonly base64?: string
  readonly raw?: string
  readonly pad?: number
  readonly nest?: number
  readonly fill?: number
  readonly gzip?: boolean
  readonly cut?: number
  readonly delayMs?: number
  readonly dripMs?: number
  readonly then?: 'end' | 'hang' | 'reset'
}

/** A name of `responses`, a response, or one for each request: the last one repeats. */
export type Script = string | Response | readonly (string | Response)[]

/** The expected result; `error` holds details that may differ between clients. */
export interface Expectation {
  readonly outcome?: string | readonly string[]
  readonly reason?: string
  readonly source?: string | readonly string[]
  readonly count?: number
  readonly error?: { readonly kind?: string; readonly code?: string }
}

export interface Step {
  readonly check?: string | readonly string[]
  readonly call?: string
  readonly arguments?: readonly unknown[]
  readonly itemId?: number
  readonly concurrent?: boolean
  readonly eventually?: boolean
  readonly withinMs?: number
  readonly expect?: Expectation
  readonly server?: Script
  readonly advance?: number
  readonly forget?: string
  readonly restart?: true
  readonly options?: Readonly<Record<string, unknown>>
  readonly tamper?: true
  readonly requests?: number
  readonly peak?: number
}

export interface FaultCase {
  readonly name: string
  readonly connect?: string
  readonly server?: Script
  readonly options?: Readonly<Record<string, unknown>>
  readonly gate?: Readonly<Record<string, unknown>>
  readonly process?: true
  readonly expect?: Expectation
  readonly steps?: readonly Step[]
}

export interface FaultTable {
  readonly apiKey: string
  readonly code: string
  readonly itemId: number
  readonly options: Readonly<Record<string, unknown>>
  readonly purchase: object
  readonly item: object
  readonly responses: Readonly<Record<string, Response>>
  readonly cases: readonly FaultCase[]
}
