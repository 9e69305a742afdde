import { locales, operationErrors, operationList } from '@saleproof/schema/constants'
import { openApiDocument } from '@saleproof/schema/openapi'
import { describe, expect, test } from 'vitest'
import { readReference } from './reference.ts'
import { buildSamples, sampleLanguages } from './samples.ts'
import { docsTexts, findText } from './texts.ts'

const baseUrl = 'https://api.example.com/shop'
const reference = readReference(openApiDocument({ serverUrl: baseUrl, version: '1.2.3' }))
const operation = (id: string) => reference.operations.find((each) => each.id === id)!

test('the reference has every operation of the document, and HEAD none of its own', () => {
  const ids = reference.operations.map(({ id }) => id)
  expect(ids).toEqual([
    ...operationList.map(({ name }) => name),
    'importRecords',
    'getSigningKeys',
    'getHealth',
    'getReadiness',
  ])
})

test.each(operationList)('$name has all of its errors and both shapes', ({ name, method, path }) => {
  const { responses, ...found } = operation(name)
  expect(found).toMatchObject({ method, path, credential: 'key' })
  const codes = new Set(responses.flatMap((response) => response.codes))
  expect([...codes].sort()).toEqual([...operationErrors(name)].sort())
  const names = responses.find(({ status }) => status === 200)?.examples.map((example) => example.name)
  expect(names).toEqual(name === 'getAccount' ? ['base'] : ['base', 'extended'])
})

test('a parameter that may be in the body and in the query is listed once', () => {
  const parameters = operation('validatePurchase').parameters.filter(
    ({ places }) => !places.includes('header'),
  )
  expect(parameters).toEqual([
    { name: 'api_key', places: ['body'], type: 'string', required: false },
    { name: 'purchase_code', places: ['body', 'query'], type: 'string', required: true },
    {
      name: 'shape',
      places: ['body', 'query'],
      type: 'base | extended',
      required: false,
    },
    { name: 'pass', places: ['body', 'query'], type: 'string', required: false },
  ])
  const [id] = operation('getItem').parameters
  expect(id).toMatchObject({ name: 'item_id', places: ['query'], type: 'integer', required: true })
})

test('the import needs the token of operators, the probes need nothing', () => {
  expect(operation('importRecords').credential).toBe('token')
  expect(operation('getHealth').credential).toBe('none')
})

describe.each(locales)('in %s', (language) => {
  const texts = docsTexts(language)

  test('every operation, parameter, header and status of the document has a text', () => {
    for (const { id, parameters, responses } of reference.operations) {
      const own = findText(texts.operations, id)
      expect(own, id).toBeDefined()
      for (const { name, places } of parameters) {
        const known = places.includes('header') ? texts.headers.requestTexts : texts.parameters.texts
        expect(findText<string>(known, name), name).toBeDefined()
      }
      for (const { status, codes } of responses.filter((response) => response.codes.length === 0)) {
        const text = own?.statuses?.[status] ?? findText(texts.responses.statuses, status)
        expect(text, `${id} ${status} ${codes}`).toBeDefined()
      }
    }
    for (const name of reference.responseHeaders)
      expect(findText<string>(texts.headers.responseTexts, name), name).toBeDefined()
    for (const tag of reference.tags) expect(findText<string>(texts.tags, tag), tag).toBeDefined()
  })

  test('no text is of a name that the document does not have', () => {
    expect(Object.keys(texts.headers.responseTexts).sort()).toEqual([...reference.responseHeaders].sort())
    expect(Object.keys(texts.headers.requestTexts).sort()).toEqual([...reference.requestHeaders].sort())
    expect(Object.keys(texts.operations).sort()).toEqual(reference.operations.map(({ id }) => id).sort())
  })
})

describe('samples', () => {
  test('call the operation at the public URL, with a variable in the place of the key', () => {
    for (const each of reference.operations) {
      const samples = buildSamples(each, { baseUrl, unknown: 'unknown' })
      for (const language of sampleLanguages) {
        expect(samples[language]).toContain(baseUrl)
        const variable = { key: 'SALEPROOF_API_KEY', token: 'ADMIN_TOKEN', none: '' }[each.credential]
        expect(samples[language]).toContain(variable)
      }
      expect(samples.curl).toContain(each.path)
    }
  })

  test('of an item names one', () => {
    const samples = buildSamples(operation('getItem'), { baseUrl, unknown: 'unknown' })
    expect(samples.curl).toContain(`'${baseUrl}/api/items/item?item_id=101'`)
    expect(samples.JavaScript).toContain('await client.getItem(101)')
  })
})
