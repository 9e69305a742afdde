import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { InferOutput } from 'valibot'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import type {
  Account,
  FailureBody,
  FailureBodySchema,
  Item,
  ItemBase,
  ItemExtended,
  ItemSummary,
  Purchase,
  PurchaseBase,
  PurchaseExtended,
  ResponseBodies,
  Shape,
  successSchemas,
} from './index.ts'
import type {
  accountFields,
  FieldPath,
  ItemRecord,
  itemFields,
  KeyRecord,
  keyFields,
  PurchaseRecord,
  purchaseFields,
  Viewed,
  WorkspaceRecord,
  workspaceFields,
} from './records/index.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))
const run = promisify(execFile)

/** What the compiler says about a project; empty when it is content. */
async function compile(folder: string): Promise<string> {
  const options = ['--noEmit', '--composite', 'false', '--incremental', 'false', '--pretty', 'false']
  try {
    await run(process.execPath, [tsc, '-p', folder, ...options], { cwd: root })
    return ''
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout)
  }
}

/** Equal for the compiler, readonly and optional members included. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Flat<T> = T extends object ? { [Key in keyof T]: Flat<T[Key]> } : T
const same = <_ extends true>() => {}
/** The path of each field of a record in the import format; `type` is not one. */
type PathIn<T> = {
  [Name in Exclude<keyof T, 'type'> & string]-?: NonNullable<T[Name]> extends
    | readonly unknown[]
    | string
    | number
    | boolean
    ? Name
    : NonNullable<T[Name]> extends object
      ? `${Name}.${PathIn<NonNullable<T[Name]>>}`
      : Name
}[Exclude<keyof T, 'type'> & string]

describe('types', () => {
  test('of the package compile, those below included', async () => {
    expect(await compile(root)).toBe('')
  })

  test('written out are those that the tables of fields give', () => {
    same<Same<Flat<Viewed<typeof accountFields, 'base'>>, Flat<Account>>>()
    same<Same<Flat<Viewed<typeof accountFields, 'extended'>>, Flat<Account>>>()
    same<Same<Flat<Viewed<typeof itemFields, 'base'>>, Flat<ItemBase>>>()
    same<Same<Flat<Viewed<typeof itemFields, 'extended'>>, Flat<ItemExtended>>>()
    same<Same<Flat<Viewed<typeof itemFields, 'summary'>>, Flat<ItemSummary>>>()
    same<Same<Flat<Viewed<typeof purchaseFields, 'base', ItemSummary>>, Flat<PurchaseBase>>>()
    same<Same<Flat<Viewed<typeof purchaseFields, 'extended', ItemExtended>>, Flat<PurchaseExtended>>>()
    // @ts-expect-error the assertion itself distinguishes types
    same<Same<Flat<ItemBase>, Flat<ItemExtended>>>()
  })

  test('of the import format have the fields of the tables', () => {
    same<Same<FieldPath<typeof itemFields>, PathIn<ItemRecord>>>()
    same<Same<FieldPath<typeof keyFields>, PathIn<KeyRecord>>>()
    same<Same<FieldPath<typeof purchaseFields>, PathIn<PurchaseRecord>>>()
    same<Same<FieldPath<typeof workspaceFields>, PathIn<WorkspaceRecord>>>()
    // @ts-expect-error the assertion itself distinguishes paths
    same<Same<FieldPath<typeof itemFields>, PathIn<PurchaseRecord>>>()
  })

  test('of responses are those that the schemas give', () => {
    same<Same<Flat<InferOutput<typeof FailureBodySchema>>, Flat<FailureBody>>>()
    same<
      Same<
        Flat<{ [Name in keyof ResponseBodies]: InferOutput<(typeof successSchemas)[Name]['base']> }>,
        Flat<ResponseBodies<'base'>>
      >
    >()
    same<
      Same<
        Flat<{ [Name in keyof ResponseBodies]: InferOutput<(typeof successSchemas)[Name]['extended']> }>,
        Flat<ResponseBodies<'extended'>>
      >
    >()
  })

  test('narrow by shape, and without one by a field', () => {
    expectTypeOf<Item<'base'>>().toEqualTypeOf<ItemBase>()
    expectTypeOf<Item<'extended'>>().toEqualTypeOf<ItemExtended>()
    expectTypeOf<Item>().toEqualTypeOf<Item<Shape>>()
    expectTypeOf<Purchase<'base'>['price']>().toEqualTypeOf<number>()
    // @ts-expect-error an extended purchase has no price of its own
    expectTypeOf<Purchase<'extended'>['price']>().toEqualTypeOf<number>()
    const narrowItem = (item: Item) => ('version' in item ? item.media.thumbnail : item.media.preview_image)
    const narrowPurchase = (purchase: Purchase) =>
      'price' in purchase ? purchase.item.url : purchase.item.version
    expectTypeOf(narrowItem).returns.toEqualTypeOf<string>()
    expectTypeOf(narrowPurchase).returns.toEqualTypeOf<string>()
  })
})

describe('what does not compile', () => {
  const folder = fileURLToPath(new URL('../.test/broken', import.meta.url))

  beforeAll(async () => {
    await mkdir(folder, { recursive: true })
    const config = { extends: '../../tsconfig.json', include: ['src'], exclude: ['**/*.test.ts'] }
    await writeFile(`${folder}/tsconfig.json`, JSON.stringify(config))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test.each([
    ['a code without a status', 'errors.ts', /status: 429, /, 'errors.ts'],
    ['a code without a message', 'errors.ts', /message: 'too_many_requests', /, 'errors.ts'],
    [
      'a code with a message that is none',
      'errors.ts',
      /'too_many_requests', retry/,
      'errors.ts',
      "'no_such', retry",
    ],
    ['a code without an English explanation', 'messages/explanations-en.ts', /^ {2}no_items: .*\n/m, 'en.ts'],
    [
      'a code without a Portuguese explanation',
      'messages/explanations-pt.ts',
      /^ {2}no_items: .*\n/m,
      'explanations-pt.ts',
    ],
    ['an operation without an English message', 'operations.ts', /en: 'No items found', /, 'operations.ts'],
    ['an operation without a Portuguese message', 'operations.ts', /, pt: 'Nenhum [^']+'/, 'operations.ts'],
    ['an operation without a route', 'routes.ts', /^ {2}getItem: .*\n/m, 'routes.ts'],
    [
      'a general failure without an English message',
      'messages/general.ts',
      /^ {4}not_found: .*\n/m,
      'general.ts',
    ],
    ['an issue without a Portuguese text', 'messages/pt.ts', /^ {4}not_empty: .*\n/m, 'pt.ts'],
    [
      'a code that no explanation knows',
      'errors.ts',
      /^ {2}\| 'no_items'\n/m,
      'en.ts',
      "  | 'no_items'\n  | 'added'\n",
    ],
  ])('%s', async (_what, file, removed, complaint, put = '') => {
    await rm(`${folder}/src`, { recursive: true, force: true })
    await cp(`${root}/src`, `${folder}/src`, { recursive: true })
    const before = await readFile(`${folder}/src/${file}`, 'utf8')
    const after = before.replace(removed, put)
    expect(after).not.toBe(before)
    await writeFile(`${folder}/src/${file}`, after)
    expect(await compile(folder)).toMatch(
      new RegExp(`${complaint.replace('.', '\\.')}\\(\\d+,\\d+\\): error`),
    )
  })
})
