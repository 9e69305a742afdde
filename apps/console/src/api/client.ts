/** Why a request of the console did not do what it was for. */
export class ApiError extends Error {
  /** The code of the service, or `offline` where there was no answer and `unavailable` where there was none that can be read. */
  readonly code: string
  readonly status: number
  /** What is wrong with the members that were sent, by their name. */
  readonly fields: Readonly<Record<string, string>>
  readonly retryAfter: number | undefined

  constructor(code: string, { status = 0, fields = {}, retryAfter }: Partial<Omit<ApiError, 'code'>> = {}) {
    super(code)
    this.name = 'ApiError'
    this.code = code
    this.status = status
    this.fields = fields
    this.retryAfter = retryAfter
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

interface ApiOptions {
  /** Where the endpoints are, with a slash at the end. */
  base: URL
  /** The session is over, or there is none. */
  onSignedOut: () => void
}

interface Sent {
  body?: object | undefined
  signal?: AbortSignal | undefined
}

async function failureOf(answer: Response): Promise<ApiError> {
  const retryAfter = Number(answer.headers.get('retry-after')) || undefined
  const details = { status: answer.status, retryAfter }
  try {
    const { error } = await answer.json()
    return new ApiError(String(error.code), { ...details, fields: error.fields ?? {} })
  } catch {
    // A proxy before the service has other ideas of what an error looks like.
    return new ApiError('unavailable', details)
  }
}

/** Talks to the console's own endpoints. The token that unsafe methods need comes with the session. */
export function createApi({ base, onSignedOut }: ApiOptions) {
  let csrfToken = ''

  async function send(method: Method, path: string, { body, signal }: Sent = {}): Promise<Response> {
    const headers: Record<string, string> = { accept: 'application/json' }
    if (method !== 'GET') headers['x-csrf-token'] = csrfToken
    if (body) headers['content-type'] = 'application/json'
    const request = {
      ...{ method, headers, redirect: 'error' as const, credentials: 'same-origin' as const },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }
    const answer = await fetch(new URL(path, base), request).catch((error: unknown) => {
      if (signal?.aborted) throw error
      throw new ApiError('offline')
    })
    if (answer.ok) return answer
    const failure = await failureOf(answer)
    if (failure.code === 'not_signed_in') onSignedOut()
    throw failure
  }

  async function ask<T>(method: Method, path: string, sent?: Sent): Promise<T> {
    const answer = await send(method, path, sent)
    if (answer.status === 204) return undefined as T
    const found = await answer.json().catch(() => {
      throw new ApiError('unavailable', { status: answer.status })
    })
    if (typeof found?.csrf_token === 'string') csrfToken = found.csrf_token
    return found
  }

  return {
    send,
    get: <T>(path: string, signal?: AbortSignal) => ask<T>('GET', path, { signal }),
    post: <T>(path: string, body: object = {}, signal?: AbortSignal) =>
      ask<T>('POST', path, { body, signal }),
    patch: <T>(path: string, body: object) => ask<T>('PATCH', path, { body }),
    delete: <T>(path: string) => ask<T>('DELETE', path),
  }
}

export type Api = ReturnType<typeof createApi>
