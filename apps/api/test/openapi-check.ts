import { operationList } from '@saleproof/schema'
import {
  type HeaderObject,
  openApiDocument,
  type Reference,
  type ResponseObject,
} from '@saleproof/schema/openapi'
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'

/** What an answer is checked by. */
export interface CheckedAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  text: string
}

const document = openApiDocument({ serverUrl: 'http://localhost', version: '0.0.0' })
const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addSchema(document, 'openapi')

const validate = (pointer: string, value: unknown) => {
  const valid = ajv.validate({ $ref: `openapi#${pointer}` }, value)
  expect(valid, `${pointer}: ${ajv.errorsText()}`).toBe(true)
}

const token = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

function headerObject(header: HeaderObject | Reference): HeaderObject {
  if (!('$ref' in header)) return header
  return document.components.headers[header.$ref.split('/').at(-1)!]!
}

function checkHeaders(
  headers: CheckedAnswer['headers'],
  documented: ResponseObject['headers'],
  where: string,
) {
  for (const [name, header] of Object.entries(documented)) {
    const { required, schema } = headerObject(header)
    const text = headers[name.toLowerCase()]
    if (required) expect(text, `${where} lacks ${name}`).toBeDefined()
    if (text === undefined) continue
    const value = schema.type === 'integer' ? Number(text) : text
    expect(ajv.validate(schema as AnySchemaObject, value), `${where} ${name}: ${text}`).toBe(true)
  }
}

/** The response object that describes an answer; of a method that a path does not know any other method tells. */
function described(method: string, path: string, status: number) {
  const item = document.paths[path]
  if (!item) return undefined
  const name = method.toLowerCase() as 'get'
  const known = item[name] ? name : (Object.keys(item)[0] as 'get')
  const response = item[known]!.responses[status]
  return response && { response, pointer: `/paths/${token(path)}/${known}/responses/${status}` }
}

const isOperation = (path: string) => operationList.some((operation) => operation.path === path)

function checkFailure({ headers, text }: CheckedAnswer) {
  validate('/components/schemas/Failure', JSON.parse(text))
  expect(Object.keys(JSON.parse(text))).toEqual(['status', 'msg'])
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  expect(headers.link).toMatch(new RegExp(`/docs/errors#${headers['x-error-code']}>; rel="help"$`))
}

/** Fails the test when an answer is not one that the OpenAPI document describes. */
export function checkAgainstOpenApi(
  { method, path }: { method: string; path: string },
  answer: CheckedAnswer,
) {
  const { status, headers, text } = answer
  const where = `${method} ${path} ${status}`
  expect(headers['x-request-id'], where).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
  if (headers['x-error-code'] !== undefined && method !== 'HEAD') checkFailure(answer)
  const found = described(method, path, status)
  if (isOperation(path)) expect(found, `${where} is not documented`).toBeDefined()
  if (!found) return
  checkHeaders(headers, found.response.headers, where)
  if (method === 'HEAD' || status === 304) expect(text, where).toBe('')
  else validate(`${found.pointer}/content/application~1json/schema`, JSON.parse(text))
}
