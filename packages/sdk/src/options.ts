import { SaleproofError } from './errors.ts'
import type { CallOptions, CheckOptions, ClientOptions, ConnectionOptions } from './types.ts'

/** Whether a value will do. */
export type Rule = (value: unknown) => boolean

/** Every option that there is, and what will do. */
export type Rules<Options> = { readonly [Name in keyof Options]-?: Rule }

/** Options, of which those that are `undefined` are left out. */
type Given<Options> = { readonly [Name in keyof Options]: Exclude<Options[Name], undefined> }

/** Throws when a value will not do. The value is never repeated: it may be a key. */
export function check(name: string, value: unknown, rule: Rule | undefined): void {
  if (rule?.(value)) return
  const problem = rule ? ((value ?? '') === '' ? 'missing' : 'invalid') : 'unknown'
  throw new SaleproofError('configuration', {}, `Check \`${name}\`: it is ${problem}.`)
}

/**
 * The options that are given. Throws for one that does not exist and for a value that will not do: a misspelled or misplaced `itemId`
 * would let the codes of every item in. `undefined` is as good as absent, but for `itemId`: that may be a variable that was never set.
 */
export function readOptions<Options extends object>(options: Options, rules: Rules<Options>): Given<Options> {
  check('options', options, isObject)
  const given: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined && name !== 'itemId' && name in rules) continue
    check(name, value, rules[name as keyof Options])
    given[name] = value
  }
  return given as Given<Options>
}

/** A rule by the text of a value, which may come out of a variable of the environment. */
export const matches =
  (pattern: RegExp): Rule =>
  (value) =>
    pattern.test(String(value))

export const isObject: Rule = (value) => typeof value === 'object' && value !== null
export const isText: Rule = (value) => typeof value === 'string' && value !== ''
export const isFunction: Rule = (value) => typeof value === 'function'
export const isPositiveInteger: Rule = matches(/^[1-9]\d{0,15}$/)
// By what is used of it: a replacement is no instance of the platform's, and workerd of 2024 gives its signal no name.
export const isSignal: Rule = (value) => value === null || typeof Object(value).aborted === 'boolean'
// A timer with a longer time would fire at once.
const isCount: Rule = matches(/^[1-9]\d{0,8}$/)
export const isAnything: Rule = () => true

const sharedRules = {
  shape: matches(/^(base|extended)$/),
  timeoutMs: isCount,
  totalTimeoutMs: isCount,
  maxRetries: matches(/^\d$/),
}

/** The options of a call. */
export const callRules: Rules<CallOptions> = { ...sharedRules, signal: isSignal }

/** The options of a check. */
export const checkRules: Rules<CheckOptions> = { ...callRules, itemId: isPositiveInteger }

export const connectionRules: Rules<ConnectionOptions> = {
  ...sharedRules,
  baseUrl: isAnything,
  apiKey: isAnything,
  allowInsecureHttp: isAnything,
  keyPlacement: matches(/^(header|parameter)$/),
  fetch: isFunction,
  invalidMessages: Array.isArray,
  passes: isFunction,
}

/** Valid options. */
export interface Settings extends Omit<ClientOptions, 'baseUrl'> {
  readonly baseUrl: string
  readonly signal?: AbortSignal | undefined
  readonly isKey: Rule
  readonly state: ClientState
}

/** What a client keeps between its calls. */
export interface ClientState {
  /**
   * The retries that were used up: there are ten, and a success gives back a tenth of one. In an outage the requests therefore grow by
   * ten, not by a factor.
   */
  retries: number
  /** The last usable key. */
  key?: string
  /** The first key of a function, while it is awaited. */
  firstKey?: { readonly key: Promise<string>; readonly until: number }
}

/** The key as it is sent: without the white space of a file or a variable. The error of `fetch` itself would contain a wrong one. */
export function readKey(key: unknown, isKey: Rule): string {
  const text = String(key ?? '').trim()
  check('apiKey', text, isKey)
  return text
}

/** What a key may be: imported ones have any form. */
export const isAnyKey: Rule = (key) => /^[!-~]{1,255}$/.test(String(key))
const isUrl = matches(/^https?:\/\/[^\s/?#@\\][^\s?#@\\]*$/i)
const isSecureUrl = matches(/^(https|http:\/\/(localhost|127\.0\.0\.1|\[::1]))(:|\/|$)/i)

/** Validates the options of a client; throws an error of the kind `configuration` that repeats no value. */
export function readClientOptions<Options extends ConnectionOptions>(
  options: Options,
  rules: Rules<Options>,
  isKey: Rule,
): Settings {
  const given = readOptions(options, rules)
  const state: ClientState = { retries: 0 }
  const { allowInsecureHttp, apiKey } = given
  const baseUrl = String(given.baseUrl ?? '').replace(/\/+$/, '')
  check('baseUrl', baseUrl, isUrl)
  if (allowInsecureHttp !== true) check('baseUrl` or `allowInsecureHttp', baseUrl, isSecureUrl)
  if (typeof apiKey !== 'function') state.key = readKey(apiKey, isKey)
  return { ...given, baseUrl, isKey, state }
}
