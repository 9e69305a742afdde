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
  expect(parameters.map(({ text: _, ...parameter }) => parameter)).toEqual([
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

test('the document has a text for each of its names', () => {
  for (const { id, title, text, parameters, responses, errors } of reference.operations) {
    for (const each of [title, text, ...parameters.map((parameter) => parameter.text)])
      expect(each, id).not.toBe('')
    for (const response of responses) expect(response.text, id).not.toBe('')
    expect(Object.keys(errors).sort()).toEqual([...new Set(responses.flatMap(({ codes }) => codes))].sort())
  }
  const headers = [reference.requestHeaders, reference.responseHeaders].flatMap((texts) =>
    Object.values(texts),
  )
  for (const text of [...headers, ...reference.tags.map((tag) => tag.text)]) expect(text).not.toBe('')
  expect(operation('importRecords').errors.malformed_body).toBe('The body ended early.')
})

test.each(locales.filter((language) => language !== 'en'))(
  'every text of it is in %s, and no other',
  (language) => {
    const texts = docsTexts(language)
    const names = (record: object = {}) => Object.keys(record).sort()
    expect(names(texts.operations)).toEqual(reference.operations.map(({ id }) => id).sort())
    expect(names(texts.requestTexts)).toEqual(names(reference.requestHeaders))
    expect(names(texts.responseTexts)).toEqual(names(reference.responseHeaders))
    expect(names(texts.tags)).toEqual(reference.tags.map(({ name }) => name).sort())
    for (const { id, parameters, responses } of reference.operations) {
      for (const { name } of parameters.filter(({ places }) => !places.includes('header')))
        expect(findText<string>(texts.parameterTexts, name), name).toBeDefined()
      for (const { status } of responses.filter(({ codes }) => codes.length === 0)) {
        const own = findText(texts.operations, id)?.statuses?.[status]
        expect(own ?? findText(texts.statuses, status), `${id} ${status}`).toBeDefined()
      }
    }
  },
)

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
