import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runTarget } from './run-target.ts'
import type { Plant } from './settings.ts'
import { targets } from './targets.ts'

// Faults that people make, put into the service itself: each has to be found. The time is what a slow machine may need at most.
const seconds = 400

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'saleproof-fuzz-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Fuzzes without the corpus of the repository: it may hold the very input. */
async function findingOf(name: string, plant: Plant): Promise<string> {
  const own = { ...targets[name]!, corpus: join(folder, `${name}.txt`) }
  const report = await runTarget({ ...own, seed: 7, seconds, save: false, mostFindings: 1, plants: [plant] })
  return report.findings[0]?.message ?? 'nothing was found'
}

test('a body that cannot be uncompressed becomes a 500', async () => {
  const plant = {
    file: '/http/content-encoding.ts',
    find: "throw new Failure(tooLarge ? 'body_too_large' : 'malformed_body')",
    replace: "throw tooLarge ? new Failure('body_too_large') : error",
  }
  expect(await findingOf('http', plant)).toMatch(/^500/)
}, 450_000)

test('the fast path takes the second of two headers', async () => {
  const plant = {
    file: '/hot/request.ts',
    find: 'if (request.acceptLanguage !== undefined) return false',
    replace: '',
  }
  expect(await findingOf('http', plant)).toMatch(/^the fast path answers otherwise/)
}, 450_000)

test('a line that cannot be read is quoted', async () => {
  const plant = {
    file: '/import/check-line.ts',
    find: '    return undefined\n',
    replace: '    throw new Error("cannot read " + text)\n',
  }
  expect(await findingOf('import', plant)).toMatch(/^cannot read/)
}, 450_000)

test('an export leaves something out', async () => {
  const plant = {
    file: '/export/records.ts',
    find: 'state: row.state,',
    replace: "state: row.state === 'revoked' && row.downloaded ? 'refunded' : row.state,",
  }
  expect(await findingOf('import', plant)).toMatch(/^an export holds less than is stored/)
}, 450_000)
