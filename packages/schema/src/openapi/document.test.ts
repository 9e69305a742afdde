import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  errorCodes,
  FailureBodySchema,
  locales,
  operationErrors,
  operationList,
  operations,
  shapes,
  successSchemas,
} from '../index.ts'
import { descriptions } from './descriptions.ts'
import { exampleBody, exampleRecords } from './examples.ts'
import { jsonSchemas, type OperationObject, openApiDocument } from './index.ts'

const document = openApiDocument({ serverUrl: 'https://api.example.com/shop/', version: '1.2.3' })

const ajv = new Ajv2020({ allErrors: true, strict: false, formats: { int64: true } })
formats.default(ajv)
ajv.addSchema(document, 'document')

const pointer = (...parts: string[]) =>
  parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')

/** Whether a value is what the document says at that place. */
function fits(value: unknown, ...place: string[]): boolean {
  const validate = ajv.getSchema(`document#/${pointer(...place)}`)
  if (!validate) throw new Error(`no schema at ${place.join(' ')}`)
  return validate(value) === true
}

const described = operationList.map((operation) => {
  const method = operation.method === 'GET' ? ('get' as const) : ('post' as const)
  return { operation, method, object: document.paths[operation.path]?.[method] as OperationObject }
})

const bodyAt = (path: string, method: string, status: string) =>
  ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema'] as const

describe('the document', () => {
  test('is OpenAPI 3.1', async () => {
    const validator = new Validator({ strict: false })
    expect(await validator.validate(structuredClone(document) as unknown as Record<string, unknown>)).toEqual(
      { valid: true },
    )
    expect(validator.version).toBe('3.1')
  })

  test('a broken document is rejected', async () => {
    const broken = { ...structuredClone(document), paths: { '/x': { get: { responses: 1 } } } }
    expect((await new Validator().validate(broken)).valid).toBe(false)
  })

  test('refers only to components that it has, and has no others', () => {
    const found = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)]
    const referred = new Set(found.map(([, group, name]) => `${group} ${name}`))
    const present = (['schemas', 'parameters', 'headers'] as const).flatMap((group) =>
      Object.keys(document.components[group]).map((name) => `${group} ${name}`),
    )
    expect([...referred].sort()).toEqual(present.sort())
  })

  test('is a new object for each caller, with the given URL', () => {
    const first = openApiDocument({ serverUrl: 'http://127.0.0.1:1', version: '1' })
    first.components.schemas = {}
    delete first.paths['/healthz']
    expect(openApiDocument({ serverUrl: 'https://api.example.com/shop', version: '1.2.3' })).toEqual(document)
    expect(document.servers).toEqual([{ url: 'https://api.example.com/shop' }])
  })

  test('has the four operations, HEAD wherever GET is, the import of operators, the keys of passes and the two probes', () => {
    const methods = Object.entries(document.paths).map(([path, item]) => `${Object.keys(item)} ${path}`)
    expect(methods).toEqual([
      'get,head /api/account/details',
      'get,head /api/items/all',
      'get,head /api/items/item',
      'post /api/purchases/validation',
      'post /admin/import',
      'get,head /.well-known/jwks.json',
      'get,head /healthz',
      'get,head /readyz',
    ])
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('describes fields that exist', () => {
    for (const path of Object.keys(descriptions)) {
      const [name = '', ...fields] = path.split('.')
      const place = ['components', 'schemas', name, ...fields.flatMap((field) => ['properties', field])]
      expect(ajv.getSchema(`document#/${pointer(...place)}`), path).toBeDefined()
    }
  })
})

describe.each(described)('$operation.name', ({ operation, method, object }) => {
  test('has every error with its status and its code', () => {
    const codes = Object.values(object.responses).flatMap(
      (response) =>
        (response.headers['X-Error-Code'] as { schema?: { enum?: string[] } } | undefined)?.schema?.enum ??
        [],
    )
    expect([...new Set(codes)].sort()).toEqual([...operationErrors(operation.name)].sort())
  })

  test('has the headers of each failure', () => {
    for (const [status, { headers, description }] of Object.entries(object.responses)) {
      if (Number(status) < 400) continue
      for (const name of ['X-Error-Code', 'Link', 'Cache-Control', 'Content-Language', 'X-Request-Id']) {
        expect(headers).toHaveProperty(name)
      }
      expect('WWW-Authenticate' in headers, status).toBe(status === '401')
      expect('Allow' in headers, status).toBe(status === '405')
      expect('Retry-After' in headers, status).toBe(status === '429' || status === '503')
      const isReadable = operation.publishable && status !== '405'
      expect('Access-Control-Allow-Origin' in headers, status).toBe(isReadable)
      expect(description).toMatch(/^- `\w+`: /)
    }
    const link = object.responses[401]?.headers.Link as { schema: { pattern: string } }
    expect('<https://api.example.com/shop/docs/errors#missing_api_key>; rel="help"').toMatch(
      new RegExp(link.schema.pattern),
    )
  })

  test('has the headers of a success', () => {
    const kept = method === 'get' ? ['ETag', 'Vary'] : []
    const names = [
      'Cache-Control',
      ...kept,
      'Content-Language',
      'X-Request-Id',
      'RateLimit',
      'RateLimit-Policy',
      ...(operation.publishable ? ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'] : []),
      ...(operation.passes ? ['X-Purchase-Pass'] : []),
    ]
    expect(Object.keys(object.responses[200]?.headers ?? {})).toEqual(names)
    expect(object.responses[304]?.content).toBeUndefined()
    expect('304' in object.responses).toBe(method === 'get')
  })

  test('has valid examples for every shape, code and language', () => {
    const texts = new Set<unknown>()
    for (const [status, response] of Object.entries(object.responses)) {
      for (const { value } of Object.values(response.content?.['application/json']?.examples ?? {})) {
        expect(fits(value, ...bodyAt(operation.path, method, status)), JSON.stringify(value)).toBe(true)
        if (status === '200') continue
        expect(v.parse(FailureBodySchema, value)).toEqual(value)
        texts.add((value as { msg: unknown }).msg)
      }
    }
    for (const locale of locales) expect(texts).toContain(operation.message[locale])
    for (const shape of shapes) {
      const example = exampleBody(operation.name, shape)
      expect(v.parse(successSchemas[operation.name][shape], example)).toEqual(example)
      expect(fits(example, ...bodyAt(operation.path, method, '200'))).toBe(true)
    }
  })

  test('accepts no additional field and no missing one, at any depth', () => {
    const at = bodyAt(operation.path, method, '200')
    for (const shape of shapes) {
      const example = exampleBody(operation.name, shape)
      for (const changed of withOneMore(example))
        expect(fits(changed, ...at), JSON.stringify(changed)).toBe(false)
      expect(fits({ ...example, status: 'error' }, ...at)).toBe(false)
    }
  })
})

/** Copies of a body, each with one more field in one of its objects; the names of social links are open. */
function withOneMore(body: unknown): unknown[] {
  const copies: unknown[] = []
  const count = JSON.stringify(body).split('{').length - 1
  for (let at = 0; at < count; at++) {
    let seen = -1
    copies.push(
      JSON.parse(JSON.stringify(body), (key, value) => {
        if (typeof value !== 'object' || value === null || Array.isArray(value) || key === 'social_links')
          return value
        seen++
        return seen === at ? { ...value, added: 'https://example.com' } : value
      }),
    )
  }
  return copies.filter((copy) => JSON.stringify(copy) !== JSON.stringify(body))
}

describe('requests', () => {
  test('a POST takes three types of body and the key in it', () => {
    const post = document.paths[operations.validatePurchase.path]?.post
    expect(Object.keys(post?.requestBody?.content ?? {})).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ])
    const place = [
      'paths',
      operations.validatePurchase.path,
      'post',
      'requestBody',
      'content',
      'application/json',
      'schema',
    ]
    expect(fits({ api_key: 'k', purchase_code: 'c', shape: 'base', more: 1 }, ...place)).toBe(true)
    expect(fits({ purchase_code: 'x'.repeat(256) }, ...place)).toBe(false)
    expect(fits({ purchase_code: 'c', shape: 'other' }, ...place)).toBe(false)
    expect(post?.security).toEqual([{ bearer: [] }, { header: [] }, { query: [] }, {}])
  })

  test('each names its parameters', () => {
    const names = described.map(({ object }) =>
      object.parameters.map((p) => ('$ref' in p ? p.$ref.split('/').at(-1) : p.name)),
    )
    expect(names).toEqual([
      ['shape', 'Accept-Language', 'If-None-Match', 'X-Request-Id'],
      ['shape', 'Accept-Language', 'If-None-Match', 'X-Request-Id'],
      ['item_id', 'shape', 'Accept-Language', 'If-None-Match', 'X-Request-Id'],
      ['purchase_code', 'shape', 'pass', 'Prefer', 'Accept-Language', 'X-Request-Id'],
    ])
  })

  test('HEAD responds like GET without a body', () => {
    for (const { head, get } of Object.values(document.paths)) {
      if (!head) continue
      expect(Object.keys(head.responses)).toEqual(Object.keys(get?.responses ?? {}))
      for (const [status, response] of Object.entries(head.responses)) {
        expect(response.content).toBeUndefined()
        expect(response.headers).toEqual(get?.responses[status]?.headers)
      }
    }
  })
})

describe('the import of operators', () => {
  const path = '/admin/import'
  const object = document.paths[path]?.post as OperationObject

  test('needs a token of its own and takes lines', () => {
    expect(object.security).toEqual([{ admin: [] }])
    expect(document.components.securitySchemes.admin).toMatchObject({ type: 'http', scheme: 'bearer' })
    const { sale } = object.requestBody?.content['application/x-ndjson']?.examples ?? {}
    expect(JSON.parse(String(sale?.value))).toMatchObject({ type: 'purchase', item: 101 })
  })

  test('has valid examples, and says of its limits what is true of it', () => {
    for (const [status, { content }] of Object.entries(object.responses)) {
      for (const { value } of Object.values(content?.['application/json']?.examples ?? {}))
        expect(fits(value, ...bodyAt(path, 'post', status)), JSON.stringify(value)).toBe(true)
    }
    expect(object.responses[413]?.description).toContain('16 MiB')
    expect(object.responses[401]?.headers).toHaveProperty('WWW-Authenticate')
    expect(object.responses[503]?.headers).toHaveProperty('Retry-After')
    expect(object.responses[503]?.headers).not.toHaveProperty('RateLimit')
  })
})

describe('JSON Schemas', () => {
  const schemas = jsonSchemas()
  const { account, item, purchase } = exampleRecords
  const right = {
    Account: account(),
    ItemBase: item('base'),
    ItemExtended: item('extended'),
    PurchaseBase: purchase('base'),
    PurchaseExtended: purchase('extended'),
    Failure: errorCodes.map(() => ({ status: 'error', msg: 'x' })),
  }

  test.each(Object.entries(right))(
    '%s is complete by itself and accepts only its own record',
    (name, values) => {
      const alone = new Ajv2020({ formats: { int64: true } })
      formats.default(alone)
      const validate = alone.compile(schemas[name as keyof typeof schemas] as object)
      for (const value of values) expect(validate(value), JSON.stringify(validate.errors)).toBe(true)
      for (const [other, others] of Object.entries(right)) {
        if (other !== name) for (const value of others) expect(validate(value)).toBe(false)
      }
    },
  )
})
