import { readFileSync } from 'node:fs'
import { cors, errorCodes, errors, operationList } from '@saleproof/schema'
import { accountFields, fieldList, itemFields, purchaseFields } from '@saleproof/schema/records'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { recordTables } from '../../src/records/tables.ts'
import { saleproof } from '../support/command.ts'

const page = readFileSync(new URL('../../../../docs/contract.md', import.meta.url), 'utf8')

const cells = (line: string) =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())

/** The rows of the table whose header begins with these cells. */
function table(...header: string[]): string[][] {
  const lines = page.split('\n')
  const start = lines.findIndex((line) => line.startsWith(`| ${header.join(' | ')} |`))
  if (start < 0) throw new Error(`no table ${header.join(', ')}`)
  const rest = lines.slice(start + 2)
  return rest
    .slice(
      0,
      rest.findIndex((line) => !line.startsWith('|')),
    )
    .map(cells)
}

const codes = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

describe('responses', () => {
  /** The fields of one shape, as a table names them: `[B]` and `[E]` hold for what they follow. */
  function fieldsOf(name: string, shape: 'base' | 'extended') {
    const other = shape === 'base' ? '[E]' : '[B]'
    return table(name, 'value').flatMap(([fields = '']) => (fields.includes(other) ? [] : codes(fields)))
  }

  const shapes = [
    { name: 'Account', shape: 'base', fields: accountFields },
    { name: 'Item', shape: 'base', fields: itemFields },
    { name: 'Item', shape: 'extended', fields: itemFields },
    { name: 'Purchase', shape: 'base', fields: purchaseFields },
    { name: 'Purchase', shape: 'extended', fields: purchaseFields },
  ] as const

  test.each(shapes)('$name, $shape', ({ name, shape, fields }) => {
    const shown = fieldList(fields).flatMap(({ path, field }) =>
      field.shown[shape] ? [path.split('.')[0]] : [],
    )
    expect(fieldsOf(name, shape)).toEqual([...new Set(shown)])
  })
})

test('the operations, their parameters and messages', () => {
  const rows = table('#', 'method and path', 'parameters')
  expect(rows.map(([, target, parameters]) => [codes(target)[0], codes(parameters)])).toEqual(
    operationList.map(({ method, path, required }) => [`${method} ${path}`, ['api_key', ...required]]),
  )
  const texts = table('operation', 'its message, en', 'pt').map(([, en, pt]) => ({
    en: codes(en)[0],
    pt: codes(pt)[0],
  }))
  expect(texts).toEqual(operationList.map(({ message }) => message))
})

test('the headers of CORS', () => {
  const [, text = ''] = /^- CORS, on (.*?)(?=^- )/ms.exec(page) ?? []
  const names = codes(text)
  const [operation] = operationList.filter(({ publishable }) => publishable)
  expect(names[0]).toBe(`${operation?.method} ${operation?.path}`)
  expect(names.filter((name) => /^[A-Z][\w-]+$/.test(name))).toEqual([...cors.allowed, ...cors.exposed])
})

test('every error code stands in a row with its status', () => {
  const rows = table('status', '`X-Error-Code`').map(([status = '', code = '']) => ({
    statuses: status.split(',').map(Number),
    codes: codes(code).filter((text) => /^[a-z]+(_[a-z]+)+$|^unavailable$/.test(text)),
  }))
  const known = new Set<string>(errorCodes)
  const parameters = new Set(['item_id', 'purchase_code'])
  const unknown = rows.flatMap((row) => row.codes).filter((code) => !known.has(code) && !parameters.has(code))
  expect(unknown).toEqual([])
  const missing = errorCodes.filter(
    (code) => !rows.some((row) => row.codes.includes(code) && row.statuses.includes(errors[code].status)),
  )
  expect(missing).toEqual([])
})

test('the commands exist', async () => {
  const usages = table('command', 'does').flatMap(([usage]) => codes(usage))
  const commands = usages
    .filter((usage) => /^[a-z]/.test(usage))
    .map((usage) => usage.split(/ (?=[A-Z[-])/)[0]!)
  expect(commands.length).toBeGreaterThan(15)
  for (const command of commands) {
    const { code, stdout } = await saleproof([...command.split(' '), '--help'], { cwd: '/', elsewhere: true })
    expect({ command, code }).toEqual({ command, code: 0 })
    expect(stdout).toContain(`Usage: saleproof ${command}`)
  }
})

test('the variables have the defaults that the page gives', () => {
  const none = loadConfig({}, { cores: 7 })
  const rows = table('variable', 'default', 'meaning')
  for (const [variable, value] of rows) {
    const names = codes(variable)
    const values = codes(value)
    if (values.length !== names.length || values[0]!.startsWith('<')) continue
    const env = Object.fromEntries(names.map((name, index) => [name, values[index]]))
    expect({ names, config: loadConfig(env, { cores: 7 }) }).toEqual({ names, config: none })
  }
})

test('the records of the import have the fields that the page shows', () => {
  const lines = page.split('\n').filter((line) => line.startsWith('{"type":'))
  const shown = new Map(lines.map((line) => JSON.parse(line)).map((record) => [record.type, record]))
  for (const [type, { fields }] of Object.entries(recordTables)) {
    const names = new Set(['type', ...fields.map(({ path }) => path.replace(/\..*/, ''))])
    expect({ type, fields: Object.keys(shown.get(type)).sort() }).toEqual({ type, fields: [...names].sort() })
  }
})
