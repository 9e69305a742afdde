import type { IncomingMessage } from 'node:http'
import { type Operation, operationList, type ParameterName } from '@saleproof/schema'
import { bodyLimit } from '../../http/body.ts'
import { jsonFields } from '../../http/json-fields.ts'
import { hostPattern, maxHeaders, maxHeadersSize, maxUrlLength } from '../../http/validate-request.ts'
import { isParameterName, type ParameterValues, preferredPass, readValue } from '../parameters.ts'

/** The parameters that the fast path reads; a request with another one is for the routes. */
type Parameters = { [Name in ParameterName]: ParameterValues[Name] | undefined }

type Optional = 'shape' | 'pass'

/** What a request says, where nothing about it is unusual. */
export interface FastPathRequest {
  operation: Operation
  parameters: Parameters
  acceptLanguage: string | undefined
  acceptEncoding: string | undefined
  ifNoneMatch: string | undefined
  requestId: string | undefined
  body: 'json' | 'form' | undefined
  bodyLength: number
}

/** A request with a key and what its operation requires; readers look at no other parameter. */
export interface CompleteRequest extends FastPathRequest {
  parameters: Omit<ParameterValues, Optional> & Pick<Parameters, Optional>
}

export const isComplete = (request: FastPathRequest): request is CompleteRequest =>
  request.parameters.api_key !== undefined &&
  request.operation.required.every((name) => request.parameters[name] !== undefined)

const byTarget = new Map(
  operationList.map((operation) => [`${operation.method} ${operation.path}`, operation]),
)

/** Takes a parameter; false where that makes the request unusual: invalid, or given twice. */
function takeParameter<Name extends ParameterName>(parameters: Parameters, name: Name, text: string) {
  const value = readValue(name, text)
  if (value === undefined) return false
  // Many clients send their key in two places.
  if (parameters[name] !== undefined) return name === 'api_key' && parameters[name] === value
  parameters[name] = value
  return true
}

/** A pair in which nothing has to be decoded but commas, which stand between signing keys. */
const plainPair = /^([A-Za-z_]{1,32})=([A-Za-z0-9_.~-]*(?:%2C[A-Za-z0-9_.~-]*)*)$/

/** Takes `a=b&c=d`, as long as nothing in it has to be decoded. */
function takePairs({ parameters }: FastPathRequest, text: string): boolean {
  if (text === '') return true
  for (const pair of text.split('&')) {
    const [, name = '', encoded = ''] = plainPair.exec(pair) ?? []
    const value = encoded.replaceAll('%2C', ',')
    if (name === '' || (isParameterName(name) && !takeParameter(parameters, name, value))) return false
  }
  return true
}

const bodyType = /^application\/(?:(json)|x-www-form-urlencoded)(?:; ?charset=utf-8)?$/i

/** The headers that are taken as they are, once. */
const plainHeaders = new Map<string, 'acceptLanguage' | 'acceptEncoding' | 'ifNoneMatch' | 'requestId'>([
  ['accept-language', 'acceptLanguage'],
  ['accept-encoding', 'acceptEncoding'],
  ['if-none-match', 'ifNoneMatch'],
  ['x-request-id', 'requestId'],
])

/** Takes one header; false where it makes the request unusual. */
function takeHeader(request: FastPathRequest, name: string, value: string): boolean {
  switch (name) {
    case 'authorization':
      return value.startsWith('Bearer ') && takeParameter(request.parameters, 'api_key', value.slice(7))
    case 'x-api-key':
      return takeParameter(request.parameters, 'api_key', value)
    case 'prefer':
      return takeParameter(request.parameters, 'pass', preferredPass(value))
    case 'content-type': {
      const type = bodyType.exec(value)
      if (!type || request.body !== undefined) return false
      request.body = type[1] ? 'json' : 'form'
      return true
    }
    case 'content-length':
      request.bodyLength = Number(value)
      return request.bodyLength <= bodyLimit
    case 'content-encoding':
    case 'transfer-encoding':
    case 'expect':
      return false
  }
  const field = plainHeaders.get(name)
  if (!field) return true
  if (request[field] !== undefined) return false
  request[field] = value
  return true
}

function takeHeaders(request: FastPathRequest, rawHeaders: readonly string[]): boolean {
  let hosts = 0
  let size = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    const value = rawHeaders[index + 1] ?? ''
    size += name.length + value.length + 4
    if (name === 'host') {
      if (!hostPattern.test(value)) return false
      hosts++
    }
    if (!takeHeader(request, name, value)) return false
  }
  return hosts === 1 && size <= maxHeadersSize
}

/** Reads a request of an operation, but for its body; undefined for everything unusual, which the routes take apart. */
export function readRequest(incoming: IncomingMessage, prefix: string): FastPathRequest | undefined {
  const { url = '', rawHeaders, httpVersion } = incoming
  if (url.length > maxUrlLength || rawHeaders.length > 2 * maxHeaders || httpVersion !== '1.1')
    return undefined
  if (!url.startsWith(prefix)) return undefined
  const query = url.indexOf('?')
  const path = query < 0 ? url.slice(prefix.length) : url.slice(prefix.length, query)
  const operation = byTarget.get(`${incoming.method} ${path}`)
  if (!operation) return undefined
  const request: FastPathRequest = {
    operation,
    parameters: {
      api_key: undefined,
      item_id: undefined,
      purchase_code: undefined,
      shape: undefined,
      pass: undefined,
    },
    acceptLanguage: undefined,
    acceptEncoding: undefined,
    ifNoneMatch: undefined,
    requestId: undefined,
    body: undefined,
    bodyLength: 0,
  }
  if (!takeHeaders(request, rawHeaders)) return undefined
  return query < 0 || takePairs(request, url.slice(query + 1)) ? request : undefined
}

/** What most clients send: one code in an object of its own. */
const codeAlone = /^\{"purchase_code": ?"([!#-[\]-~]+)"\}$/

function takeField({ parameters }: FastPathRequest, name: string, value: unknown): boolean {
  // `item_id[]` names a parameter too, in a form that has to be looked at.
  if (name.includes('[')) return false
  return !isParameterName(name) || (typeof value === 'string' && takeParameter(parameters, name, value))
}

/** Takes the parameters of a body; false where it is not a flat object, or pairs, of plain strings. */
export function takeBody(request: FastPathRequest, bytes: Buffer): boolean {
  const text = bytes.toString('latin1')
  if (request.body === 'form') return takePairs(request, text)
  const code = codeAlone.exec(text)?.[1]
  if (code !== undefined) return takeParameter(request.parameters, 'purchase_code', code)
  // An escape could hide a name.
  if (!/^[\t\n\r -[\]-~]*$/.test(text)) return false
  return jsonFields(text)?.every(([name, value]) => takeField(request, name, value)) ?? false
}
