import type {
  ConsoleEndpointName,
  ConsoleFailure,
  ConsolePathParameters,
  ConsoleRequests,
  ConsoleResponses,
} from '@saleproof/schema/console'
import { endpoints } from './endpoints.ts'
import { ApiError } from './errors.ts'

interface ApiOptions {
  /** Where the endpoints are, without a slash at the end. */
  base: string
  /** The session is over, or there is none. */
  onSignedOut: () => void
}

interface Call<Name extends ConsoleEndpointName> {
  /** What fills the path. */
  at?: ConsolePathParameters<Name>
  send?: ConsoleRequests[Name]
  signal?: AbortSignal | undefined
}

async function failureOf(answer: Response): Promise<ApiError> {
  try {
    const { error }: ConsoleFailure = await answer.json()
    return new ApiError(error.code, { fields: error.fields ?? {}, retryAfter: error.retry_after })
  } catch {
    // A proxy before the service has other ideas of what an error looks like.
    return new ApiError('unavailable', { retryAfter: Number(answer.headers.get('retry-after')) || undefined })
  }
}

const fill = (path: string, at: Readonly<Record<string, string>>) =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(at[name] ?? ''))

/** The members of a query; what is not given is left out. */
const queryOf = (given: object) =>
  new URLSearchParams(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )

/** Talks to the console's own endpoints. The token that unsafe methods need comes with the session. */
export function createApi({ base, onSignedOut }: ApiOptions) {
  let csrfToken = ''

  function requestOf(name: ConsoleEndpointName, { at, send, signal }: Call<ConsoleEndpointName>): Request {
    const [method, path] = endpoints[name]
    const url = base + fill(path, { ...at })
    const options = { method, redirect: 'error', signal: signal ?? null } as const
    if (method === 'GET') return new Request(send ? `${url}?${queryOf(send)}` : url, options)
    const headers = { 'content-type': 'application/json', 'x-csrf-token': csrfToken }
    return new Request(url, { ...options, headers, body: JSON.stringify(send ?? {}) })
  }

  async function ask(name: ConsoleEndpointName, call: Call<ConsoleEndpointName>): Promise<Response> {
    const answer = await fetch(requestOf(name, call)).catch((error: unknown) => {
      if (call.signal?.aborted) throw error
      throw new ApiError('offline')
    })
    if (answer.ok) return answer
    const failure = await failureOf(answer)
    if (failure.code === 'not_signed_in') onSignedOut()
    throw failure
  }

  /** The token of another session: that of this one is read, and asked once more. */
  async function askWithToken(name: ConsoleEndpointName, call: Call<ConsoleEndpointName>): Promise<Response> {
    try {
      return await ask(name, call)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'wrong_csrf_token')) throw error
      await read(await ask('getSession', {} as Call<ConsoleEndpointName>))
      return ask(name, call)
    }
  }

  async function read(answer: Response): Promise<unknown> {
    if (answer.status === 204) return undefined
    const isFile = answer.headers.has('content-disposition')
    const found = await (isFile ? answer.blob() : answer.json()).catch(() => {
      throw new ApiError('unavailable')
    })
    if (typeof found?.csrf_token === 'string') csrfToken = found.csrf_token
    return found
  }

  return async function api<Name extends ConsoleEndpointName>(
    name: Name,
    call: Call<Name> = {},
  ): Promise<ConsoleResponses[Name]> {
    const answer = await askWithToken(name, call as Call<ConsoleEndpointName>)
    return (await read(answer)) as ConsoleResponses[Name]
  }
}

export type Api = ReturnType<typeof createApi>
