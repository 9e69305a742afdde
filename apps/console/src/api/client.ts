import type {
  ConsoleEndpointName,
  ConsoleFailure,
  ConsolePathParameters,
  ConsoleRequests,
  ConsoleResponses,
} from '@saleproof/schema/console'
import { consoleRoutes, fillPath } from '@saleproof/schema/console/constants'
import { ApiError } from './errors.ts'

interface ApiOptions {
  /** The URL of the endpoints, without a trailing slash. */
  base: string
  /** Called when the session has ended, or there is none. */
  onSignedOut: () => void
}

interface RequestOptions<Name extends ConsoleEndpointName = ConsoleEndpointName> {
  /** The parameters of the path. */
  params?: ConsolePathParameters<Name>
  /** The query of a GET request, or the JSON body of any other. */
  input?: ConsoleRequests[Name]
  signal?: AbortSignal | undefined
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

const toQuery = (input: object) =>
  new URLSearchParams(
    Object.entries(input).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )

/** The client of the console's own endpoints. The session response carries the CSRF token that unsafe methods need. */
export function createApi({ base, onSignedOut }: ApiOptions) {
  let csrfToken = ''

  function buildRequest(name: ConsoleEndpointName, { params, input, signal }: RequestOptions): Request {
    const { method, path } = consoleRoutes[name]
    const url = base + fillPath(path, { ...params })
    const options: RequestInit = { method, redirect: 'error', signal: signal ?? null }
    if (method === 'GET') return new Request(input ? `${url}?${toQuery(input)}` : url, options)
    const headers = { 'content-type': 'application/json', 'x-csrf-token': csrfToken }
    return new Request(url, { ...options, headers, body: JSON.stringify(input ?? {}) })
  }

  async function send(name: ConsoleEndpointName, options: RequestOptions): Promise<Response> {
    const response = await fetch(buildRequest(name, options)).catch((error: unknown) => {
      if (options.signal?.aborted) throw error
      throw new ApiError('offline')
    })
    if (response.ok) return response
    const error = await errorFrom(response)
    if (error.code === 'not_signed_in') onSignedOut()
    throw error
  }

  /** Another tab may have signed in again: reads the token of the new session and retries once. */
  async function sendWithToken(name: ConsoleEndpointName, options: RequestOptions): Promise<Response> {
    try {
      return await send(name, options)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'wrong_csrf_token')) throw error
      await read(await send('getSession', {}))
      return send(name, options)
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
    options: RequestOptions<Name> = {},
  ): Promise<ConsoleResponses[Name]> {
    return read(await sendWithToken(name, options))
  }
}

export type Api = ReturnType<typeof createApi>
