import {
  type ConsoleEndpointName,
  type ConsolePathParameters,
  type ConsoleRequests,
  type ConsoleResponses,
  type ConsoleSession,
  consoleEndpoints,
  type SalesChoices,
  type SalesPreview,
} from '@saleproof/schema/console'
import { expect } from 'vitest'
import { type Answer, type Client, send } from './client.ts'

/** The password of every account of these tests: an imported hash of each would take as long as all the rest. */
export const password = 'correct horse battery staple'

interface CallOptions {
  headers?: Record<string, string>
  /** What is sent in place of the cookie and the token of the session. */
  cookie?: string | undefined
  token?: string | undefined
  device?: string | undefined
  /** The connection that it is sent on, not one of its own. */
  via?: Client
}

export const consolePath = <Name extends ConsoleEndpointName>(
  name: Name,
  parameters: ConsolePathParameters<Name>,
): string => {
  const values: Readonly<Record<string, string>> = parameters
  const path = consoleEndpoints[name].path.replace(/:(\w+)/g, (_, each) => encodeURIComponent(values[each]!))
  return `/console/api${path}`
}

/** A browser of the console, as far as the API sees one. */
export function createBrowser(url: string) {
  let cookie: string | undefined
  /** What the browser is known again by, also after it was signed out. */
  let device: string | undefined
  let token: string | undefined

  async function call<Name extends ConsoleEndpointName>(
    name: Name,
    parameters: ConsolePathParameters<Name>,
    request?: ConsoleRequests[Name] | string,
    options: CallOptions = {},
  ): Promise<Answer> {
    const { method } = consoleEndpoints[name]
    const given = { cookie, token, device, ...options }
    const sent = [given.cookie ?? [], given.device ?? []].flat().join('; ')
    const { records, file, choices, ...fields } = {
      records: undefined,
      file: undefined,
      choices: undefined,
      ...(typeof request === 'object' && request),
    }
    const isQuery = method === 'GET' || records !== undefined
    const query = isQuery ? `?${new URLSearchParams(fields as Record<string, string>)}` : ''
    const body = file
      ? Buffer.concat([Buffer.from(`${JSON.stringify(choices)}\n`), Buffer.from(await file.arrayBuffer())])
      : Array.isArray(records)
        ? records.map((record) => `${JSON.stringify(record)}\n`).join('')
        : JSON.stringify(request)
    const endpoint = consoleEndpoints[name]
    const type =
      'file' in endpoint
        ? 'application/octet-stream'
        : 'records' in endpoint
          ? 'application/x-ndjson'
          : 'application/json'
    const { via = (request) => send(url, request) } = options
    const answer = await via({
      method,
      path: `${consolePath(name, parameters)}${query}`,
      headers: {
        ...(method !== 'GET' && { 'content-type': type, 'sec-fetch-site': 'same-origin' }),
        ...(sent !== '' && { cookie: sent }),
        ...(given.token !== undefined && method !== 'GET' && { 'x-csrf-token': given.token }),
        ...given.headers,
      },
      ...(method !== 'GET' &&
        request !== undefined && { body: typeof request === 'string' ? request : body }),
    })
    for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
      const pair = set.split(';')[0]!
      if (/saleproof_device=/.test(pair)) device = pair
      else if (options.cookie === undefined) cookie = pair
    }
    return answer
  }

  /** The body of an answer that has to be a success. */
  async function ask<Name extends ConsoleEndpointName>(
    name: Name,
    parameters: ConsolePathParameters<Name>,
    request?: ConsoleRequests[Name],
  ): Promise<ConsoleResponses[Name]> {
    const { status, text } = await call(name, parameters, request)
    expect([status, status < 300 ? '' : text]).toEqual([text === '' ? 204 : 200, ''])
    return (text === '' ? undefined : JSON.parse(text)) as ConsoleResponses[Name]
  }

  return {
    call,
    ask,
    async signIn(login: string, typed = password): Promise<ConsoleSession> {
      const session = await ask('signIn', {}, { login, password: typed })
      token = session.csrf_token
      return session
    },
    cookie: () => cookie,
    device: () => device,
    token: () => token,
  }
}

export type Browser = ReturnType<typeof createBrowser>

export const errorOf = ({ status, text }: Answer) => [status, JSON.parse(text).error]

/** Takes a sales file as its preview reads it. */
export const salesChoices = (preview: SalesPreview, more: Partial<SalesChoices> = {}): SalesChoices => ({
  file: 'sales.csv',
  profile: preview.profile,
  columns: preview.columns,
  values: {},
  items: Object.fromEntries(preview.items.flatMap(({ text, item }) => (item ? [[text, item.id]] : []))),
  new_items: {},
  dates: preview.dates ?? 'dmy',
  time_zone: 'UTC',
  skip_invalid: false,
  dry_run: false,
  ...more,
})
