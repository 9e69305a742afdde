import type { Call } from './calls.ts'
import { SaleproofError } from './errors.ts'
import { type Rules, readKey, readOptions, type Settings } from './options.ts'
import { race } from './race.ts'
import { readResponse } from './response.ts'
import { retryDelay } from './retry-timing.ts'
import type { CallOptions } from './types.ts'

/** The parameters of a call, by name. */
export type Parameters = Readonly<Record<string, string>>

/** The key of an attempt, which the client then knows as its last usable one. */
export async function getKey({ apiKey, isKey, state }: Settings): Promise<string> {
  try {
    state.key = readKey(typeof apiKey === 'function' ? await apiKey() : apiKey, isKey)
    return state.key
  } catch {
    // Nothing of what was thrown: it may hold what a vault holds.
    throw new SaleproofError('connection', { code: 'key_unavailable' })
  }
}

/** The code alone of what was thrown, such as `ENOTFOUND`: its message may repeat the request. */
function connectionError(thrown: unknown, secrets: string) {
  const { code } = Object(Object(thrown).cause ?? thrown)
  const isShown = typeof code === 'string' && !secrets.includes(code) && /^[A-Z_]{4,40}$/.test(code)
  return new SaleproofError('connection', isShown ? { code } : {})
}

let cacheInit: RequestInit | undefined

/**
 * Next.js would keep a response on disk. Some runtimes take no such option, and a page, where no `POST` is kept, would send a preflight
 * before each request.
 */
function readCacheInit(): RequestInit {
  try {
    const noStore = { cache: 'no-store' } as const
    cacheInit ??= 'document' in globalThis ? {} : new Request('https://a', noStore) && noStore
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
): Promise<unknown> {
  const { baseUrl, fetch, keyPlacement, shape } = settings
  const { method, path } = call
  const key = await getKey(settings)
  const requestId = Math.random().toString(36).slice(2)
  const headers: Record<string, string> = { accept: 'application/json', 'x-request-id': requestId }
  const sent: Record<string, string> = {
    ...parameters,
    ...(shape && { shape }),
  }
  if (keyPlacement === 'parameter') sent.api_key = key
  else headers.authorization = `Bearer ${key}`
  // `URLSearchParams` of React Native encodes nothing.
  const form = Object.entries(sent)
    .map((pair) => pair.map(encodeURIComponent).join('='))
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
    return await readResponse(response, settings, call, parameters, requestId)
  } catch (thrown) {
    // By `digest` Next.js ends the rendering of a page: that is no failure of the request.
    throw thrown instanceof SaleproofError || Object(thrown).digest
      ? thrown
      : connectionError(thrown, form + key)
  }
}

/** Makes a call, with its retries and waits. Throws errors of this package, and what Next.js throws. */
export async function makeCall(
  client: Settings,
  plainCall: Call,
  argument: unknown,
  options: CallOptions,
  rules: Rules<CallOptions>,
): Promise<unknown> {
  const start = performance.now()
  const settings = { ...client, ...readOptions(options, rules) }
  const { maxRetries = 2, passes, signal, state, totalTimeoutMs = 15_000, timeoutMs = 5_000 } = settings
  // Only this package makes passes.
  const call = (passes?.(plainCall as never) ?? plainCall) as Call
  const parameters = (await call.parameters?.(argument)) ?? {}
  const left = () => totalTimeoutMs - performance.now() + start
  for (let attempt = 1; ; attempt += 1) {
    const controller = new AbortController()
    try {
      const work = () => exchange(settings, call, parameters, controller.signal)
      // In time even where `fetch` ignores its signal, with the body.
      const value = await race(work, Math.min(timeoutMs, left()), signal)
      state.retries = Math.max(0, state.retries - 0.1)
      return value
    } catch (error) {
      // Frees the connection of an unread body.
      controller.abort()
      const { retryable, retryAfterMs } = error as SaleproofError
      const wait = retryDelay(attempt, retryAfterMs, Math.random())
      if (!retryable || attempt > maxRetries || wait >= left() || state.retries > 9) throw error
      state.retries += 1
      await race(undefined, wait, signal).catch(() => {})
    }
  }
}
