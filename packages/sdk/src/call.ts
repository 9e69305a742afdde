import type { Call } from './calls.ts'
import { SaleproofError } from './errors.ts'
import { notify } from './log.ts'
import { callRules, type Rules, readKey, readOptions, type Settings } from './options.ts'
import { race } from './race.ts'
import { readResponse } from './response.ts'
import { earnRetry, retryDelay, useRetry } from './retry-timing.ts'
import type { CallMeta, CallOptions } from './types.ts'

/** The parameters of a call, by name. */
export type Parameters = Readonly<Record<string, string>>

/** One request, and what came of it: a value or an error. */
export interface Attempt {
  requestId?: string
  status?: number
  value?: unknown
  error?: SaleproofError
}

/** The result of a call: a value or an error. */
export interface CallResult {
  readonly value?: unknown
  readonly error?: SaleproofError | undefined
  readonly meta: CallMeta
}

/** The key of an attempt, which the client then knows as its last usable one. */
export async function getKey({ apiKey, isKey, state }: Settings): Promise<string> {
  try {
    state.key = readKey(typeof apiKey === 'function' ? await apiKey() : apiKey, isKey)
    return state.key
  } catch {
    // Nothing of what was thrown: it may hold what a vault holds.
    throw new SaleproofError('connection', { code: 'key_unavailable', retryable: true })
  }
}

/** Of what was thrown the code alone, such as `ENOTFOUND`, or else the class of the error: its message may repeat the request. */
function connectionError(thrown: unknown, secrets: string) {
  const { cause, code, name } = Object(thrown)
  const [shown = ''] = /^([A-Z_]{4,40}|[A-Z][a-z]+Error)$/.exec(cause?.code ?? code ?? name) ?? []
  return new SaleproofError('connection', {
    code: secrets.includes(shown) ? undefined : shown,
    retryable: true,
  })
}

let cacheInit: RequestInit | undefined

/**
 * Next.js would keep a response on disk. Some runtimes take no such option, and a page, where no `POST` is kept, would send a preflight
 * before each request.
 */
function readCacheInit(): RequestInit {
  try {
    const noStore = { cache: 'no-store' } as const
    cacheInit ??= 'document' in globalThis ? {} : new Request('https://example.com', noStore) && noStore
  } catch {
    cacheInit = {}
  }
  return cacheInit
}

async function exchange(
  settings: Settings,
  call: Call,
  parameters: Parameters,
  signal: AbortSignal,
  attempt: Attempt,
): Promise<unknown> {
  const { baseUrl, fetch, keyPlacement, shape } = settings
  const { method = 'GET', path } = call
  const key = await getKey(settings)
  attempt.requestId = Math.random().toString(36).slice(2)
  const headers: Record<string, string> = { accept: 'application/json', 'x-request-id': attempt.requestId }
  const sent: Record<string, string> = {
    ...parameters,
    ...(shape && { shape }),
  }
  if (keyPlacement === 'parameter') sent.api_key = key
  else headers.authorization = `Bearer ${key}`
  // `URLSearchParams` of React Native encodes nothing.
  const form = Object.entries(sent)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  const init: RequestInit = { method, headers, redirect: 'manual', signal, ...readCacheInit() }
  let url = baseUrl + path
  if (method === 'POST') {
    // Every deployment reads this type of body.
    headers['content-type'] = 'application/x-www-form-urlencoded'
    init.body = form
  } else if (form) url += `?${form}`
  try {
    // Looked up at each call, because tools may replace the platform's `fetch` after the client was created.
    const response = await (fetch ?? globalThis.fetch)(url, init)
    attempt.status = response.status
    return await readResponse(response, settings, call, parameters, attempt)
  } catch (thrown) {
    // By `digest` Next.js ends the rendering of a page: that is no failure of the request.
    throw thrown instanceof SaleproofError || Object(thrown).digest
      ? thrown
      : connectionError(thrown, form + key)
  }
}

/** Makes a request and reads its response, including the body, in time, even where `fetch` ignores its signal. */
async function makeAttempt(settings: Settings, call: Call, parameters: Parameters, timeoutMs: number) {
  const controller = new AbortController()
  const attempt: Attempt = {}
  try {
    const work = exchange(settings, call, parameters, controller.signal, attempt)
    attempt.value = await race(work, timeoutMs, settings.signal)
  } catch (error) {
    // Frees the connection of an unread body.
    controller.abort()
    // Of this client, but for one that Next.js throws.
    attempt.error = error as SaleproofError
  }
  return attempt
}

/** Makes a call, with its retries and waits. Never rejects. */
export async function makeCall(
  client: Settings,
  call: Call,
  argument: unknown,
  options: CallOptions = {},
  rules: Rules<CallOptions> = callRules,
): Promise<CallResult> {
  const start = performance.now()
  let attempts = 0
  let result: Attempt = {}
  const report = (retryInMs?: number): CallResult => {
    const { status, requestId, value, error } = result
    const meta = { status, requestId, attempts, durationMs: performance.now() - start }
    if (attempts) void notify(client.log, { event: 'attempt', operation: call.name, error, retryInMs, meta })
    return { value, error, meta }
  }
  try {
    const settings = { ...client, ...readOptions(options, rules) }
    const { maxRetries = 2, signal, totalTimeoutMs = 15_000, timeoutMs = 5_000 } = settings
    const parameters = call.parameters?.(argument) ?? {}
    const left = () => totalTimeoutMs - performance.now() + start
    for (;;) {
      if (signal?.aborted) throw new SaleproofError('aborted', {})
      attempts += 1
      result = await makeAttempt(settings, call, parameters, Math.min(timeoutMs, left()))
      const { error } = result
      if (!error?.retryable) {
        earnRetry(client.state)
        return report()
      }
      const wait = retryDelay(attempts, error.retryAfterMs, Math.random())
      if (attempts > maxRetries || wait >= left() || !useRetry(client.state)) return report()
      report(wait)
      await race(undefined, wait, signal).catch(() => {})
    }
  } catch (error) {
    // The block throws errors of this client alone.
    result = { ...result, error: error as SaleproofError }
    return report()
  }
}

/** Makes a call and gives its value. */
export async function callOrThrow<T>(...parameters: globalThis.Parameters<typeof makeCall>): Promise<T> {
  const { error, value } = await makeCall(...parameters)
  // What the call let through.
  if (!error) return value as T
  // The stack of the caller instead of that of the transport.
  Error.captureStackTrace?.(error)
  throw error
}
