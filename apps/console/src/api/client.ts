import {
  type ConsoleEndpointName,
  type ConsoleFailure,
  type ConsolePathParameters,
  type ConsoleRequests,
  type ConsoleResponses,
  consoleEndpoints,
} from '@saleproof/schema/console'
import { ApiError } from './errors.ts'

interface ApiOptions {
  /** The URL of the endpoints, without a trailing slash. */
  base: string
  /** Called when the session has ended, or there is none. */
  onSignedOut: () => void
}

/** What an endpoint takes: the parameters of its path, with the fields of its query or JSON body. */
export type Values<Name extends ConsoleEndpointName> = ConsolePathParameters<Name> & ConsoleRequests[Name]

interface Call {
  name: ConsoleEndpointName
  values: Readonly<Record<string, unknown>>
  signal: AbortSignal | undefined
}

async function errorFrom(response: Response): Promise<ApiError> {
  try {
    const { error }: ConsoleFailure = await response.json()
    return new ApiError(error.code, { fields: error.fields ?? {}, retryAfter: error.retry_after })
  } catch {
    // A proxy in front of the service responds in a format of its own.
    return new ApiError('unavailable', {
      retryAfter: Number(response.headers.get('retry-after')) || undefined,
    })
  }
}

function toQuery(values: Call['values']): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return given.length > 0 ? `?${new URLSearchParams(given)}` : ''
}

/** The path of a call, and what is not in it. */
function fillPath(path: string, given: Call['values']) {
  const values = { ...given }
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(values[name])
    delete values[name]
    return encodeURIComponent(value)
  })
  return { filled, rest: values }
}

/** The client of the console's own endpoints. The session response carries the CSRF token that unsafe methods need. */
export function createApi({ base, onSignedOut }: ApiOptions) {
  let csrfToken = ''

  function buildRequest({ name, values, signal }: Call): Request {
    const { method, path } = consoleEndpoints[name]
    const { filled, rest } = fillPath(path, values)
    const options: RequestInit = { method, redirect: 'error', signal: signal ?? null }
    if (method === 'GET') return new Request(base + filled + toQuery(rest), options)
    const { records, file, ...fields } = rest
    const headers = {
      'content-type':
        file instanceof Blob
          ? 'application/octet-stream'
          : records
            ? 'application/x-ndjson'
            : 'application/json',
      'x-csrf-token': csrfToken,
    }
    if (file instanceof Blob) {
      const body = new Blob([`${JSON.stringify(fields.choices)}\n`, file])
      return new Request(base + filled, { ...options, headers, body })
    }
    if (!records) return new Request(base + filled, { ...options, headers, body: JSON.stringify(fields) })
    const body = Array.isArray(records)
      ? records.map((record) => `${JSON.stringify(record)}\n`).join('')
      : (records as Blob)
    return new Request(base + filled + toQuery(fields), { ...options, headers, body })
  }

  async function send(call: Call): Promise<Response> {
    const response = await fetch(buildRequest(call)).catch((error: unknown) => {
      if (call.signal?.aborted) throw error
      throw new ApiError('offline')
    })
    if (response.ok) return response
    const error = await errorFrom(response)
    if (error.code === 'not_signed_in') onSignedOut()
    throw error
  }

  /** Another tab may have signed in again: reads the token of the new session and retries once. */
  async function sendWithToken(call: Call): Promise<Response> {
    try {
      return await send(call)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'wrong_csrf_token')) throw error
      await read(await send({ name: 'getSession', values: {}, signal: undefined }))
      return send(call)
    }
  }

  async function read(response: Response) {
    if (response.status === 204) return undefined
    const isFile = response.headers.has('content-disposition')
    const body = await (isFile ? response.blob() : response.json()).catch(() => {
      throw new ApiError('unavailable')
    })
    if (typeof body?.csrf_token === 'string') csrfToken = body.csrf_token
    return body
  }

  return async function api<Name extends ConsoleEndpointName>(
    name: Name,
    values: Values<Name>,
    signal?: AbortSignal,
  ): Promise<ConsoleResponses[Name]> {
    return read(await sendWithToken({ name, values, signal }))
  }
}

export type Api = ReturnType<typeof createApi>
