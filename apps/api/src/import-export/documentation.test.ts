import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../test/support/import-database.ts'

test('the lines of docs/import.md import without a warning', async () => {
  const page = readFileSync(new URL('../../docs/import.md', import.meta.url), 'utf8')
  const lines = /```\n([^`]*)```/.exec(page)?.[1] ?? ''
  const database = await createTestDatabase()
  const { counts, warningCount } = await database.loadText(lines)
  expect(Object.values(counts).map(({ created }) => created)).toEqual([1, 1, 1, 1, 1])
  expect(warningCount).toBe(0)
  database.remove()
})
