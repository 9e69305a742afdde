import { SaleproofError } from './errors.ts'
import { createRetryBudget, type RetryBudget } from './retry-timing.ts'
import type { CallOptions, ClientOptions } from './types.ts'

/** A mistake of the caller; the message names it and never repeats the value. */
export const configError = (message: string) => new SaleproofError('configuration', {}, message)

/** Throws when a value, as text, does not match its rule. */
export function check(name: string, value: unknown, rule: RegExp): void {
  if (!rule.test(String(value))) throw configError(`\`${name}\` must match ${rule}`)
}

/** The id of an item: a number, or a text from an environment variable. */
export const itemIdRule = /^[1-9]\d{0,15}$/

// https, or http on this machine; no user, no query, no fragment.
const baseUrlRule =
  /^(https:\/\/[^\s?#@\\/]|http:\/\/(([\w-]+\.)*localhost|127(\.\d+){3}|\[::1])(?=[:/]|$))[^\s?#@\\]*$/i

// A timer with a longer time would fire at once.
const timeRule = /^[1-9]\d{0,8}$/

const rules: Record<string, RegExp> = {
  shape: /^(base|extended)$/,
  locale: /^[\w*,;=. -]+$/,
  timeoutMs: timeRule,
  totalTimeoutMs: timeRule,
  maxRetries: /^\d$/,
  keyPlacement: /^(header|parameter)$/,
}

const defaults = {
  timeoutMs: 5_000,
  totalTimeoutMs: 15_000,
  maxRetries: 2,
  keyPlacement: 'header',
} as const

/** Valid options with their defaults. */
export type Settings = Omit<ClientOptions, 'baseUrl'> &
  Required<Pick<ClientOptions, keyof typeof defaults>> & {
    baseUrl: string
    signal?: AbortSignal | undefined
    state: ClientState
  }

/** What a client keeps between its calls. */
export interface ClientState {
  readonly budget: RetryBudget
  /** The last usable key. */
  key?: string
}

/** Validates `options` and puts them over the settings of the client; `undefined` changes nothing. */
export function readOptions(options: CallOptions, over: Settings): Settings {
  const settings: Settings & Record<string, unknown> = { ...over, signal: options.signal }
  for (const [name, rule] of Object.entries(rules)) {
    // `keyPlacement` is of the client alone; read here, it is `undefined` where a call has no such option.
    const value = options[name as keyof CallOptions]
    if (value === undefined) continue
    check(name, value, rule)
    settings[name] = value
  }
  return settings
}

/** The key as it is sent: without the white space of a file or a variable. */
export function readKey(key: unknown): string {
  const text = String(key ?? '').trim()
  // Only characters of a header: the error of `fetch` itself would contain the key.
  check('apiKey', text, /^[!-~]{1,255}$/)
  return text
}

/** Validates the options of a client; throws an error of the kind `configuration` that repeats no value. */
export function readClientOptions(options: ClientOptions, budget = createRetryBudget()): Settings {
  const baseUrl = String(options.baseUrl).replace(/\/+$/, '')
  check('baseUrl', URL.canParse(baseUrl) && baseUrl, baseUrlRule)
  if (typeof options.apiKey !== 'function') readKey(options.apiKey)
  return readOptions(options, { ...options, ...defaults, baseUrl, state: { budget } })
}
