import { currencyCodes, currencyDigits, formatMoney } from '@saleproof/schema'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { codecs } from './codecs.ts'

const database = new Sqlite(':memory:')
afterAll(() => database.close())

const statement = database
  .prepare<[bigint, string], string | number>(
    `SELECT ${codecs.money.jsonSql('price')} FROM (SELECT ? AS price, ? AS currency)`,
  )
  .pluck()

/** One currency for each number of digits, and any other. */
const currency = fc.oneof(
  fc.constantFrom(
    ...[0, 2, 3, 4].map((count) => currencyCodes.find((code) => currencyDigits(code) === count)!),
  ),
  fc.constantFrom(...currencyCodes),
)
const minor = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000 }),
  fc.integer({ min: 0, max: 1_000_000 }).map((count) => count * 10_000),
  fc.integer({ min: 0, max: 10 ** 15 - 1 }),
)

test('SQLite writes every amount as JavaScript does', () => {
  fc.assert(
    fc.property(minor, currency, (price, code) => {
      expect(String(statement.get(BigInt(price), code))).toBe(JSON.stringify(formatMoney(price, code)))
    }),
    { numRuns: 5000 },
  )
})
