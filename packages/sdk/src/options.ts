import { SaleproofError } from './errors.ts'
import { createLog, type Log } from './log.ts'
import type { Platform } from './platform.ts'
import type { RetryBudget } from './retry-timing.ts'
import type { AttemptEvent, CallOptions, ClientOptions } from './types.ts'

/** A mistake of the caller; the message names it and never repeats the value. */
export const configError = (message: string) => new SaleproofError('configuration', {}, message)

/** What a value, as text, must match, and the same in words. */
export type Rule = readonly [pattern: RegExp, words: string]

/** Throws when a value does not match its rule. */
export function check(name: string, value: unknown, [pattern, words]: Rule): void {
  if (!pattern.test(String(value))) throw configError(`Set \`${name}\` to ${words}.`)
}

/** The id of an item: a number, or a text from an environment variable. */
export const itemIdRule: Rule = [/^[1-9]\d{0,15}$/, 'a whole number from 1']

/**
 * Checks the item and the signal of a check's options. An `itemId` that is there but is no id (a variable that was never set) must not
 * mean "any item", and neither must another spelling of its name.
 */
export function checkItemAndSignal(options: {
  readonly itemId?: unknown
  readonly signal?: AbortSignal | undefined
}): void {
  // By what is used of it: a replacement is no instance of the platform's, and workerd of 2024 gives its signal no name.
  if (options.signal) check('signal', options.signal.aborted, [/^[tf]/, '`controller.signal`'])
  if (/\bitem/i.test(String(Object.keys(options)))) check('itemId', options.itemId, itemIdRule)
}

// A timer with a longer time would fire at once.
const countRule: Rule = [/^[1-9]\d{0,8}$/, 'a whole number from 1 to 999999999']

const rules: Readonly<Record<string, Rule>> = {
  shape: [/^(base|extended)$/, 'base or extended'],
  keyPlacement: [/^(header|parameter)$/, 'header or parameter'],
  timeoutMs: countRule,
  totalTimeoutMs: countRule,
  maxResponseBytes: countRule,
  maxRetries: [/^\d$/, 'a whole number from 0 to 9'],
}

/** Valid options. */
export interface Settings extends Omit<ClientOptions, 'baseUrl' | 'log'> {
  readonly baseUrl: string
  readonly log: Log<AttemptEvent> | undefined
  readonly signal?: AbortSignal | undefined
  readonly platform: Platform
  readonly state: ClientState
}

/** What a client keeps between its calls. */
export interface ClientState extends RetryBudget {
  /** The last usable key. */
  key?: string
  /** The identity that was computed last, and for which key. */
  identity?: { readonly key: string; readonly value: string }
}

/** Validates `options` and puts them over the settings of the client; `undefined` changes nothing. */
export function readOptions(options: CallOptions, over: Settings): Settings {
  checkItemAndSignal(options)
  const settings: Settings & Record<string, unknown> = { ...over, signal: options.signal }
  for (const name in rules) {
    // `keyPlacement` is of the client alone: a call has no such option.
    const value = options[name as keyof CallOptions]
    const rule = rules[name]
    if (!rule || value === undefined) continue
    check(name, value, rule)
    settings[name] = value
  }
  return settings
}

/** The key as it is sent: without the white space of a file or a variable. */
export function readKey(key: unknown): string {
  const text = String(key ?? '').trim()
  // Only characters of a header: the error of `fetch` itself would contain the key.
  check('apiKey', text, [/^[!-~]{1,255}$/, 'a key of visible ASCII characters'])
  return text
}

function readBaseUrl({ baseUrl, allowInsecureHttp }: ClientOptions, { parseUrl }: Platform): string {
  const url = parseUrl(String(baseUrl))
  // No user, no query, no fragment; http on this machine alone.
  const pattern =
    allowInsecureHttp === true
      ? /^https?:[^?#@]+$/
      : /^(https:|http:\/\/([\w.-]+\.localhost|localhost|127\.[\d.]+|\[::1])[:/])[^?#@]*$/
  const words = 'an https: URL without user and query, or set `allowInsecureHttp`'
  check('baseUrl', url, [pattern, words])
  return String(url).replace(/\/+$/, '')
}

/** Validates the options of a client; throws an error of the kind `configuration` that repeats no value. */
export function readClientOptions(
  platform: Platform,
  // Not in TypeScript: without any, the error names the first that is missing.
  options = {} as ClientOptions,
  state: ClientState = { used: 0 },
): Settings {
  const { apiKey, log } = options
  const baseUrl = readBaseUrl(options, platform)
  if (typeof apiKey !== 'function') state.key = readKey(apiKey)
  return readOptions(options, { ...options, baseUrl, log: createLog(log), platform, state })
}
