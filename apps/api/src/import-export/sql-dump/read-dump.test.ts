import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chunked } from '../../../test/support/import-database.ts'
import { type DumpRow, readDump } from './read-dump.ts'

async function read(
  dump: string | Uint8Array,
  tables: string[] = ['t'],
  size?: number,
  skipped?: Map<string, number>,
) {
  const rows: DumpRow[] = []
  for await (const block of readDump(chunked(dump, size), tables, skipped)) rows.push(...block)
  return rows
}

const valuesOf = async (dump: string | Uint8Array, size?: number) =>
  (await read(dump, ['t'], size)).map(({ values }) => values)

/** As `mysql_real_escape_string` writes it. */
const special: Readonly<Record<string, string>> = { '\0': '0', '\n': 'n', '\r': 'r', '\x1a': 'Z' }
const escaped = (text: string) =>
  [...text]
    .map((char) => (/[\\'"]/.test(char) ? `\\${char}` : special[char] ? `\\${special[char]}` : char))
    .join('')

const forms: readonly ((text: string) => string)[] = [
  (text) => `'${escaped(text)}'`,
  (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
  (text) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '""')}"`,
  (text) => `_binary '${escaped(text)}'`,
  (text) => `0x${Buffer.from(text).toString('hex').toUpperCase()}`,
]

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...'\\\'"`;,()%_0n\0\n\r\t\x1a-#/*é') }),
)

const value = fc.oneof(
  fc.constant({ read: undefined, written: 'NULL' }),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((number) => ({ read: String(number), written: String(number) })),
  fc.tuple(text, fc.constantFrom(...forms)).map(([read, form]) => ({ read, written: form(read) })),
)

const name = fc.string({ unit: fc.constantFrom(...'ab`, ()\'"key'), minLength: 1, maxLength: 8 })
const comment = fc.constantFrom(
  '',
  ' ',
  '\n',
  "-- it's\n",
  '--\r\n',
  '# `\n',
  "/*!40101 SET NAMES 'utf8' */",
  '/* ; */',
)

const table = fc.uniqueArray(name, { minLength: 1, maxLength: 5 }).chain((columns) =>
  fc.record({
    columns: fc.constant(columns),
    rows: fc.array(fc.tuple(...columns.map(() => value)), { minLength: 1, maxLength: 6 }),
    names: fc.boolean(),
    apart: comment,
    size: fc.integer({ min: 1, max: 300 }),
  }),
)

const quoted = (column: string) => `\`${column.replaceAll('`', '``')}\``

test('rows are read as MySQL writes them, wherever the file is cut into chunks', async () => {
  await fc.assert(
    fc.asyncProperty(table, async ({ columns, rows, names, apart, size }) => {
      const definitions = columns.map(
        (column) => `${quoted(column)} enum('a,b)','it''s') DEFAULT '\\'' COMMENT '1:a, 2:b'`,
      )
      const list = names ? `(${[...columns].reverse().map(quoted).join(', ')}) ` : ''
      const lines = rows.map((row) => {
        const written = row.map((each) => each.written)
        return `(${(names ? written.reverse() : written).join(`,${apart}`)})`
      })
      const dump = `${apart}CREATE TABLE IF NOT EXISTS \`t\` (${apart}${definitions.join(',\n')},
        PRIMARY KEY (${quoted(columns[0]!)}(10)), KEY \`k\` (${columns.map(quoted).join(',')})) ENGINE=InnoDB COMMENT='; (';
        LOCK TABLES \`t\` WRITE; INSERT INTO \`t\` ${list}VALUES ${lines.join(`${apart},\n`)}${apart}; UNLOCK TABLES`
      const expected = rows.map((row) =>
        Object.fromEntries(columns.map((column, at) => [column, row[at]?.read])),
      )
      expect(await valuesOf(dump, size)).toEqual(expected)
    }),
    { numRuns: 150 },
  )
})

const created = 'CREATE TABLE t (id int, name text);\n'

describe('forms', () => {
  test.each([
    ['a name without quotes', 'insert into t values (1, "a")', { id: '1', name: 'a' }],
    [
      'percent and underscore',
      String.raw`INSERT IGNORE INTO t VALUES (1, 'a\%b\_c\d')`,
      { id: '1', name: String.raw`a\%b\_cd` },
    ],
    [
      'a number with an exponent',
      'REPLACE INTO t VALUES (-1.5e-7, NULL)',
      { id: '-1.5e-7', name: undefined },
    ],
    [
      'an update of duplicates',
      'INSERT INTO t VALUES (1, NULL) ON DUPLICATE KEY UPDATE id = (2)',
      { id: '1' },
    ],
    [
      'what routines and triggers insert',
      `DELIMITER ;;\nCREATE PROCEDURE p() BEGIN /* it's */ INSERT INTO t VALUES (2, ''); END ;;\nDELIMITER ;\r
       INSERT INTO t VALUES (1, NULL);
       delimiter $$\nCREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW BEGIN INSERT INTO t SELECT 1; END$$\nDELIMITER ;\n`,
      { id: '1' },
    ],
  ])('%s', async (_, insert, expected) => {
    for (const size of [7, 65_536])
      expect(await valuesOf(`\ufeff${created}${insert};`, size)).toEqual([expected])
  })

  test('bytes that are no text are read where no table is asked for, and its rows are counted', async () => {
    const blob = Buffer.from(
      "INSERT INTO blobs VALUES (_binary '\xff\\'\xfe', f(1, 2)), (x'00', 0);\n",
      'latin1',
    )
    const skipped = new Map<string, number>()
    const dump = Buffer.concat([Buffer.from(created), blob, Buffer.from("INSERT INTO t VALUES (1, 'ç');")])
    expect(await read(dump, ['t'], 7, skipped)).toEqual([
      { table: 't', line: 3, values: { id: '1', name: 'ç' } },
    ])
    expect([...skipped]).toEqual([['blobs', 2]])
  })
})

describe('a dump that is refused', () => {
  test.each([
    [
      'cut within a text',
      "INSERT INTO t VALUES (1, 'a'),\n(2, 'b",
      'line 3: table t: the dump ends within what begins here',
    ],
    [
      'cut after a row',
      "INSERT INTO t VALUES (1, 'a'),\n",
      'line 4: table t: the dump ends within what begins here',
    ],
    [
      'cut without a semicolon',
      "INSERT INTO t VALUES (1, 'a')",
      'line 2: table t: the dump ends within what begins here',
    ],
    [
      'with a comment that is not closed',
      'INSERT INTO t /* VALUES (1, 2);',
      'line 2: table t: the dump ends within',
    ],
    [
      'with too many values',
      "INSERT INTO t VALUES (1, 'a'), (1, 'a', 2);",
      'line 2: table t: a row of 3 values, for 2 columns',
    ],
    [
      'with a function',
      'INSERT INTO t VALUES (1, now());',
      'line 2: table t: a value is neither text nor a number',
    ],
    ['with a query', 'INSERT INTO t SELECT * FROM u;', 'line 2: table t: only INSERT … VALUES is read'],
    [
      'without columns',
      'INSERT INTO u VALUES (1);',
      'line 2: table u: neither CREATE TABLE nor INSERT names its columns',
    ],
    [
      'with a comma that was lost',
      "INSERT INTO t VALUES (1, 'a')\n-(2, 'b');",
      'line 2: table t: a row ends with a comma or a semicolon',
    ],
    ['of two databases', `USE other;\n${created}`, 'line 3: table t: there are two of it'],
    ['cut within a routine', 'DELIMITER ;;\nCREATE PROCEDURE p() BEGIN', 'line 2: the dump ends within'],
    [
      'cut between statements',
      "/*!40101 SET @OLD_CHARACTER_SET_CLIENT=1 */;\nINSERT INTO t VALUES (1, 'a');\n",
      'the dump was cut off: its end is missing',
    ],
  ])('%s', async (_, insert, message) => {
    for (const size of [3, 65_536])
      await expect(read(created + insert, ['t', 'u'], size)).rejects.toThrow(message)
  })

  test('bytes that are no text are refused where they are read', async () => {
    const [row] = await read(`${created}INSERT INTO t VALUES (1, 0xFF);`)
    expect(row!.values.id).toBe('1')
    expect(() => row!.values.name).toThrow('line 2: table t: name is not UTF-8')
  })

  test.each([
    ['compressed', Buffer.from([0x1f, 0x8b, 8, 0])],
    ['UTF-16', Buffer.from(`\ufeff${created}`, 'utf16le')],
  ])('%s', async (_, bytes) => {
    await expect(read(bytes)).rejects.toThrow('compressed or UTF-16')
  })
})

test('a long text in small chunks is not read again for each of them', async () => {
  const dump = `${created}INSERT INTO t VALUES (1, '${String.raw`it\'s `.repeat(100_000)}');`
  const begun = process.cpuUsage()
  expect(await valuesOf(dump, 64)).toHaveLength(1)
  const { user } = process.cpuUsage(begun)
  // A tenth of a second; read again for each chunk it takes six.
  expect(user / 1_000_000).toBeLessThan(2)
})
