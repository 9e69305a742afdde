import type { IncomingMessage } from 'node:http'
import { type Operation, operationList } from '@saleproof/schema'

/** What a plain request says. Anything unusual is not taken apart here: the routes do that. */
export interface PlainRequest {
  operation: Operation
  /** Every key that was given; they are all the same. */
  key: string
  itemId: number
  code: string
  shape: 'base' | 'extended' | undefined
  acceptLanguage: string | undefined
  acceptEncoding: string | undefined
  ifNoneMatch: string | undefined
  requestId: string | undefined
  body: 'json' | 'form' | undefined
  bodyLength: number
}

const byTarget = new Map(
  operationList.map((operation) => [`${operation.method} ${operation.path}`, operation]),
)
const longestUrl = 2048
const longestBody = 4096
const largestHeaders = 8192
const mostHeaders = 60

/** A host, with a port or without; what else one may be is for the routes. */
const plainHost = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d+)?$/
/** Visible ASCII: nothing to trim, to clean or to compare in another form. */
const visible = /^[!-~]{1,255}$/
const plainPair = /^([A-Za-z_]{1,32})=([A-Za-z0-9_.~-]*)$/
const plainId = /^[1-9]\d{0,14}$/
const plainRequestId = /^[A-Za-z0-9._-]{1,64}$/
const bodyTypes: ReadonlyMap<string, 'json' | 'form'> = new Map([
  ['application/json', 'json'],
  ['application/json; charset=utf-8', 'json'],
  ['application/json;charset=utf-8', 'json'],
  ['application/x-www-form-urlencoded', 'form'],
  ['application/x-www-form-urlencoded; charset=utf-8', 'form'],
  ['application/x-www-form-urlencoded;charset=UTF-8', 'form'],
])

/** Takes a parameter; false where that makes the request unusual: given twice, or of a form that has to be looked at. */
export function takeParameter(request: PlainRequest, name: string, value: string): boolean {
  switch (name) {
    case 'api_key':
      if (!visible.test(value) || (request.key !== '' && request.key !== value)) return false
      request.key = value
      return true
    case 'item_id':
      if (request.itemId !== 0 || !plainId.test(value)) return false
      request.itemId = Number(value)
      return true
    case 'purchase_code':
      if (request.code !== '' || !visible.test(value)) return false
      request.code = value
      return true
    case 'shape':
      if (request.shape !== undefined || (value !== 'base' && value !== 'extended')) return false
      request.shape = value
      return true
    default:
      return true
  }
}

/** Takes `a=b&c=d`, as long as nothing in it has to be decoded. */
export function takePairs(request: PlainRequest, text: string): boolean {
  if (text === '') return true
  for (const pair of text.split('&')) {
    const match = plainPair.exec(pair)
    if (!match || !takeParameter(request, match[1]!, match[2]!)) return false
  }
  return true
}

const takeKey = (request: PlainRequest, value: string) => takeParameter(request, 'api_key', value)

/** Takes one header; false where it makes the request unusual. */
function takeHeader(request: PlainRequest, name: string, value: string): boolean {
  switch (name) {
    case 'authorization':
      return value.startsWith('Bearer ') && takeKey(request, value.slice(7))
    case 'x-api-key':
      return takeKey(request, value)
    case 'accept-language':
      if (request.acceptLanguage !== undefined) return false
      request.acceptLanguage = value
      return true
    case 'accept-encoding':
      if (request.acceptEncoding !== undefined) return false
      request.acceptEncoding = value
      return true
    case 'if-none-match':
      if (request.ifNoneMatch !== undefined) return false
      request.ifNoneMatch = value
      return true
    case 'x-request-id':
      if (request.requestId !== undefined || !plainRequestId.test(value)) return false
      request.requestId = value
      return true
    case 'content-type':
      if (request.body !== undefined) return false
      request.body = bodyTypes.get(value)
      return request.body !== undefined
    case 'content-length':
      request.bodyLength = Number(value)
      return request.bodyLength <= longestBody
    case 'content-encoding':
    case 'transfer-encoding':
    case 'expect':
      return false
    default:
      return true
  }
}

/** The headers that decide something, by their length: most of the others are never turned to lower case. */
const lengths = new Set([6, 9, 12, 13, 14, 15, 16, 17])

/** Reads a request of one of the four operations, but for its body; undefined for everything that is not plain. */
export function readPlain(incoming: IncomingMessage, prefix: string): PlainRequest | undefined {
  const { url = '', rawHeaders, httpVersion } = incoming
  if (
    url.length > longestUrl ||
    rawHeaders.length > 2 * mostHeaders ||
    httpVersion !== '1.1' ||
    !url.startsWith(prefix)
  )
    return undefined
  const question = url.indexOf('?')
  const path = question < 0 ? url.slice(prefix.length) : url.slice(prefix.length, question)
  const operation = byTarget.get(`${incoming.method} ${path}`)
  if (!operation) return undefined
  const request: PlainRequest = {
    operation,
    key: '',
    itemId: 0,
    code: '',
    shape: undefined,
    acceptLanguage: undefined,
    acceptEncoding: undefined,
    ifNoneMatch: undefined,
    requestId: undefined,
    body: undefined,
    bodyLength: 0,
  }
  let hosts = 0
  let size = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    const value = rawHeaders[index + 1]!
    size += name.length + value.length
    if (name.length === 4 && name.toLowerCase() === 'host') {
      if (!plainHost.test(value)) return undefined
      hosts++
    }
    if (lengths.has(name.length) && !takeHeader(request, name.toLowerCase(), value)) return undefined
  }
  if (hosts !== 1 || size > largestHeaders) return undefined
  if (question >= 0 && !takePairs(request, url.slice(question + 1))) return undefined
  return request
}

/** What most clients send: one code in an object of its own. */
const codeAlone = /^\{"purchase_code": ?"([!#-[\]-~]{1,255})"\}$/

/** Takes the parameters of a body; false where it is not a flat object, or pairs, of plain strings. */
export function takeBody(request: PlainRequest, bytes: Buffer): boolean {
  const text = bytes.toString('latin1')
  if (request.body === 'form') return takePairs(request, text)
  const alone = codeAlone.exec(text)
  if (alone) return takeParameter(request, 'purchase_code', alone[1]!)
  // An escape could hide a name, and a name that stands twice would be lost in an object.
  if (!/^[\t\n\r -[\]-~]*$/.test(text)) return false
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return false
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  for (const [name, member] of Object.entries(value)) {
    const quoted = `"${name}"`
    if (text.indexOf(quoted) !== text.lastIndexOf(quoted)) return false
    // `item_id[]` names a parameter too, in a form that has to be looked at.
    if (name.includes('[')) return false
    if (!(name in known)) continue
    if (typeof member !== 'string' || !takeParameter(request, name, member)) return false
  }
  return true
}

const known: Readonly<Record<string, true>> = {
  api_key: true,
  purchase_code: true,
  shape: true,
  item_id: true,
}
