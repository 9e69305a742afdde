import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../test/support/import-database.ts'
import { recordTables } from '../records/tables.ts'
import { profiles } from './sales/profiles/index.ts'

const page = readFileSync(new URL('../../docs/import.md', import.meta.url), 'utf8')

test.each(Object.entries(recordTables))(
  'docs/import.md names what a record needs, and what may be left out: %s',
  (type, table) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${type}\` |`))
    const [, identity = '', required = '', optional = ''] = row?.split('|').slice(1) ?? []
    const named = (cell: string) => [...cell.matchAll(/`([a-z_.]+)`/g)].map(([, name]) => name)
    expect(named(identity)).toEqual([table.identity.field])
    // A value in brackets is a default or a choice.
    const names = new Set(named(optional.replaceAll(/\([^)]*\)/g, '')))
    // The kind of the item decides about previews, as another table says.
    const paths = table.fields.filter((field) => field.optional && field.ifOmitted === 'keep')
    expect([...names].sort()).toEqual(paths.map(({ path }) => path).sort())
    const needed = table.fields.filter((field) => !field.optional)
    expect(named(required)).toEqual(needed.map(({ path }) => path))
  },
)

test.each([...profiles.map(({ name }) => name), 'marketbob'])(
  'docs/sales-files.md has a section for the profile %s',
  (name) => {
    const sections = readFileSync(new URL('../../docs/sales-files.md', import.meta.url), 'utf8')
    expect(sections).toMatch(new RegExp(`^## .*\\(\`${name}\`\\)$`, 'm'))
  },
)

test('the lines of docs/import.md import without a warning', async () => {
  const lines = /```\n([^`]*)```/.exec(page)?.[1] ?? ''
  const database = await createTestDatabase()
  const { counts, warningCount } = await database.loadText(lines)
  expect(Object.values(counts).map(({ created }) => created)).toEqual([1, 1, 1, 1, 1])
  expect(warningCount).toBe(0)
  database.remove()
})
