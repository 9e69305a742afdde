import assert from 'node:assert/strict'
import { operationList } from '@saleproof/schema'
import {
  type HeaderObject,
  openApiDocument,
  type Reference,
  type ResponseObject,
} from '@saleproof/schema/openapi'
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** What an answer is checked by. */
export interface CheckedResponse {
  status: number
  headers: Readonly<Record<string, string>>
  text: string
}

const document = openApiDocument({ serverUrl: 'http://localhost', version: '0.0.0' })
const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addSchema(document, 'openapi')

const validators = new Map<string, ValidateFunction>()

function validate(pointer: string, value: unknown) {
  let check = validators.get(pointer)
  if (!check) {
    check = ajv.compile({ $ref: `openapi#${pointer}` })
    validators.set(pointer, check)
  }
  assert(check(value), `${pointer}: ${ajv.errorsText(check.errors)}`)
}

const token = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

function headerObject(header: HeaderObject | Reference): HeaderObject {
  if (!('$ref' in header)) return header
  return document.components.headers[header.$ref.split('/').at(-1)!]!
}

function checkHeaders(
  headers: CheckedResponse['headers'],
  documented: ResponseObject['headers'],
  where: string,
) {
  for (const [name, header] of Object.entries(documented)) {
    const { required, schema } = headerObject(header)
    const text = headers[name.toLowerCase()]
    if (required) assert(text !== undefined, `${where} lacks ${name}`)
    if (text === undefined) continue
    const value = schema.type === 'integer' ? Number(text) : text
    assert(ajv.validate(schema as AnySchemaObject, value), `${where} ${name}: ${text}`)
  }
}

/** The response object that describes an answer; for a method that the path does not have, that of any other method. */
function described(method: string, path: string, status: number) {
  const item = document.paths[path]
  if (!item) return undefined
  const name = method.toLowerCase() as 'get'
  const known = item[name] ? name : (Object.keys(item)[0] as 'get')
  const response = item[known]!.responses[status]
  return response && { response, pointer: `/paths/${token(path)}/${known}/responses/${status}` }
}

const isOperation = (path: string) => operationList.some((operation) => operation.path === path)

function checkFailure({ headers, text }: CheckedResponse) {
  validate('/components/schemas/Failure', JSON.parse(text))
  assert.deepEqual(Object.keys(JSON.parse(text)), ['status', 'msg'])
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(headers.link ?? '', new RegExp(`/docs/errors#${headers['x-error-code']}>; rel="help"$`))
}

/** Fails the test when an answer is not one that the OpenAPI document describes. */
export function checkAgainstOpenApi(
  { method, path }: { method: string; path: string },
  answer: CheckedResponse,
) {
  const { status, headers, text } = answer
  const where = `${method} ${path} ${status}`
  assert.match(headers['x-request-id'] ?? '', /^[A-Za-z0-9._-]{1,64}$/, where)
  assert.equal(headers['x-content-type-options'], 'nosniff', where)
  if (headers['x-error-code'] !== undefined && method !== 'HEAD') checkFailure(answer)
  const found = described(method, path, status)
  if (isOperation(path)) assert(found, `${where} is not documented`)
  if (!found) return
  checkHeaders(headers, found.response.headers, where)
  if (method === 'HEAD' || status === 304) assert.equal(text, '', where)
  else validate(`${found.pointer}/content/application~1json/schema`, JSON.parse(text))
}
