import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import type { ImportProblem } from '@saleproof/schema/console'
import { recordIssues } from '@saleproof/schema/records'
import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { ImportError } from '../../src/domain/imports.ts'
import { chunked, createTestDatabase, ndjson, type TestDatabase } from '../support/import-database.ts'
import { fileArbitrary, sample, samples } from '../support/import-records.ts'
import { byteChange, changed, checkInputs, fromBytes, timeoutMs, toBytes } from './fuzz.ts'
import { recordChange } from './record-changes.ts'

const stored = [
  ...samples,
  { ...sample.account, username: 'bob', email: 'bob@example.com' },
  { ...sample.workspace, slug: 'works', owner: 'bob' },
  { ...sample.item, workspace: 'works', id: 201 },
]

const secretFields = new Set(['key', 'purchase_code', 'email', 'password', 'password_hash'])
/** A code that is a part of them is no secret in a message. */
const ownNames = samples.flatMap((record) => Object.keys(record)).join()
const isSecret = (value: unknown) =>
  typeof value === 'string' && value.length >= 8 && !ownNames.includes(value)
const texts = new Set(Object.values(recordIssues.en))

/** The values of keys, codes and addresses in a file, as far as it can be read. */
function secretsIn(text: string): string[] {
  const found: string[] = []
  for (const line of text.split('\n')) {
    try {
      JSON.parse(line, (name, value) => {
        if (secretFields.has(name) && isSecret(value)) found.push(value)
        return value
      })
    } catch {}
  }
  return found
}

const tables = ['Account', 'Workspace', 'ApiKey', 'ApiKeyItem', 'Item', 'Purchase'] as const
/** Others in each database, whatever is stored. */
const ofDatabase = new Set([
  'id',
  'accountId',
  'workspaceId',
  'keyId',
  'replacesId',
  'createdAt',
  'createdEntry',
  'keyCipher',
])

/** Everything that is stored, in the words of the database itself: an export could leave something out twice. */
const rowsIn = (database: TestDatabase) =>
  database.withDatabase((db) =>
    tables.flatMap((table) => {
      const rows = db.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table}`).all()
      const own = rows.map((row) =>
        Object.entries(row).filter(
          ([column]) => !ofDatabase.has(column) || (table === 'Item' && column === 'id'),
        ),
      )
      return own.map((row) => JSON.stringify([table, ...row])).sort()
    }),
  )

/** A problem names its line and says what is wrong, in words of ours. */
function checkProblem({ line, field, message }: ImportProblem, lines: number, secrets: readonly string[]) {
  assert(Number.isInteger(line) && line >= 1 && line <= lines, `line ${line} of ${lines}`)
  assert(texts.has(message), `not one of the messages: ${message}`)
  for (const secret of secrets) assert(!field?.includes(secret), `a secret in ${field}`)
}

let template: TestDatabase
let first: TestDatabase
let second: TestDatabase
let before: string
let auditBefore: number

const auditLength = () =>
  first.withDatabase((db) => db.prepare('SELECT count(*) FROM AuditEntry').pluck().get() as number)

beforeAll(async () => {
  template = await createTestDatabase()
  await template.load(stored)
  before = await template.exported()
  first = await createTestDatabase()
  second = await createTestDatabase()
  copyFileSync(template.file, first.file)
  auditBefore = auditLength()
})

afterAll(() => {
  for (const database of [template, first, second]) database.remove()
})

async function checkStored(input: Buffer) {
  const text = await first.exported()
  const { counts } = await first.loadText(input)
  for (const [type, { created, updated }] of Object.entries(counts))
    assert.equal(created + updated, 0, `the same file again changes ${type}`)
  assert.equal(await first.exported(), text, 'the same file again changes the export')
  second.clear()
  await second.loadText(text)
  assert.equal(await second.exported(), text, 'the export of an export')
  assert.deepEqual(rowsIn(second), rowsIn(first), 'an export holds less than is stored')
}

async function check(bytes: string) {
  const input = toBytes(bytes)
  const text = input.toString()
  const secrets = secretsIn(text)
  const lines = text.split('\n').length
  // As it comes over a connection: cut anywhere.
  const size = 40 * (1 + (input.length % 97))
  copyFileSync(template.file, first.file)
  const outcome = await first.loadText(input, { source: chunked(input, size) }).catch((error) => error)
  if (outcome instanceof ImportError) {
    assert(outcome.problems.length > 0, 'refused without a reason')
    for (const problem of outcome.problems) checkProblem(problem, lines, secrets)
    assert.equal(await first.exported(), before, 'a part was stored')
    assert.equal(auditLength(), auditBefore, 'a refusal is in the audit log')
    return
  }
  if (outcome instanceof Error) throw outcome
  for (const warning of outcome.warnings) checkProblem(warning, lines, secrets)
  await checkStored(input)
}

const tokens = [
  ...stored.flatMap((record) =>
    Object.entries(record).map(([name, value]) => JSON.stringify({ [name]: value }).slice(1, -1)),
  ),
  '"type":"',
  '\n',
  '\r\n',
  '\u00ef\u00bb\u00bf',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  'null',
  '\\u0000',
  '\\ud800',
  '1e309',
  '"\n{"',
]

/** A file of a shop that is not stored yet: the workspace that is has another owner. */
const file = fc
  .oneof(
    { weight: 3, arbitrary: fileArbitrary },
    fc.constantFrom(...samples).map((record) => [record]),
  )
  .map((records) => fromBytes(Buffer.from(ndjson(records).replaceAll('"studio"', '"shop"'))))
/** Found by an earlier run: its code is a part of the name of a field, which a message names. */
const examples = [
  fromBytes(Buffer.from(ndjson([{ ...sample.purchase, purchase_code: 'purchase', item: 2 ** 40 }]))),
]
const maxLength = 24 * 1024
const change = fc.oneof({ weight: 2, arbitrary: recordChange }, byteChange(tokens))
const inputs = fc.oneof(file, { weight: 5, arbitrary: changed(file, change, maxLength) })

test(
  'a file is stored whole or not at all, errors name its lines, and its export gives the same again',
  {
    retry: 0,
    timeout: timeoutMs,
  },
  () => checkInputs(inputs, check, { numRuns: 20, examples }),
)
