import { serviceUrl } from '../app/service-url.ts'
import type { Operation } from './reference.ts'

/** What was typed, by the name of the field. */
export type Values = Readonly<Record<string, string>>

export interface Exchange {
  status: number
  headers: readonly (readonly [name: string, value: string])[]
  text: string
}

const filled = (operation: Operation, values: Values) =>
  operation.parameters.flatMap(({ name }) => (values[name] ? [[name, values[name]]] : []))

function buildContent(operation: Operation, values: Values): Pick<RequestInit, 'body'> & { type?: string } {
  if (operation.method === 'GET') return {}
  if (operation.exampleBody !== undefined) return { type: 'application/x-ndjson', body: values.records ?? '' }
  return { type: 'application/json', body: JSON.stringify(Object.fromEntries(filled(operation, values))) }
}

/** Calls an operation of this service. Nothing is sent to another host: not by a redirect either. */
export async function sendRequest(
  operation: Operation,
  { credential, values, language }: { credential: string; values: Values; language: string },
): Promise<Exchange> {
  const { type, body } = buildContent(operation, values)
  const query = operation.method === 'GET' ? String(new URLSearchParams(filled(operation, values))) : ''
  const response = await fetch(serviceUrl(operation.path.slice(1)) + (query && `?${query}`), {
    method: operation.method,
    headers: {
      'Accept-Language': language,
      ...(credential && { Authorization: `Bearer ${credential}` }),
      ...(type && { 'Content-Type': type }),
    },
    ...(body !== undefined && { body }),
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
  })
  return { status: response.status, headers: [...response.headers], text: await response.text() }
}
