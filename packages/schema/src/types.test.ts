import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { InferOutput } from 'valibot'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import type {
  Account,
  AccountSchema,
  FailureBody,
  FailureBodySchema,
  Item,
  ItemBase,
  ItemBaseSchema,
  ItemExtended,
  ItemExtendedSchema,
  Purchase,
  PurchaseBase,
  PurchaseBaseSchema,
  PurchaseExtended,
  PurchaseExtendedSchema,
  ResponseBodies,
  Shape,
  successSchemas,
} from './index.ts'

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

/** Equal as far as the compiler can tell, readonly and optional members included. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Flat<T> = T extends object ? { [Key in keyof T]: Flat<T[Key]> } : T
const same = <_ extends true>() => {}

describe('types', () => {
  test('of the package compile, those below included', async () => {
    expect(await compile(root)).toBe('')
  }, 60_000)

  test('written out are those that the schemas give', () => {
    same<Same<Flat<InferOutput<typeof AccountSchema>>, Flat<Account>>>()
    same<Same<Flat<InferOutput<typeof ItemBaseSchema>>, Flat<ItemBase>>>()
    same<Same<Flat<InferOutput<typeof ItemExtendedSchema>>, Flat<ItemExtended>>>()
    same<Same<Flat<InferOutput<typeof PurchaseBaseSchema>>, Flat<PurchaseBase>>>()
    same<Same<Flat<InferOutput<typeof PurchaseExtendedSchema>>, Flat<PurchaseExtended>>>()
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
    // @ts-expect-error the assertion itself tells types apart
    same<Same<Flat<ItemBase>, Flat<ItemExtended>>>()
  })

  test('narrow by shape, and without one by a member', () => {
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
    ['a code without an English explanation', 'messages/en.ts', /^ {4}no_items: .*\n/m, 'en.ts'],
    ['a code without a Portuguese explanation', 'messages/pt.ts', /^ {4}no_items: .*\n/m, 'pt.ts'],
    ['an operation without an English message', 'messages/en.ts', /^ {4}getItem: .*\n/m, '.ts'],
    ['an operation without a Portuguese message', 'messages/pt.ts', /^ {4}getItem: .*\n/m, 'pt.ts'],
    ['a general failure without an English message', 'messages/en.ts', /^ {4}not_found: .*\n/m, 'en.ts'],
    ['an issue without a Portuguese text', 'messages/pt.ts', /^ {4}not_empty: .*\n/m, 'pt.ts'],
    [
      'a code that no explanation knows',
      'errors.ts',
      /^ {2}no_items: .*\n/m,
      'en.ts',
      '  no_items: operation(404),\n  added: refused(400),\n',
    ],
  ])(
    '%s',
    async (_what, file, removed, complaint, put = '') => {
      await rm(`${folder}/src`, { recursive: true, force: true })
      await cp(`${root}/src`, `${folder}/src`, { recursive: true })
      const before = await readFile(`${folder}/src/${file}`, 'utf8')
      const after = before.replace(removed, put)
      expect(after).not.toBe(before)
      await writeFile(`${folder}/src/${file}`, after)
      expect(await compile(folder)).toMatch(
        new RegExp(`${complaint.replace('.', '\\.')}\\(\\d+,\\d+\\): error`),
      )
    },
    60_000,
  )
})
