import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runTarget } from './run-target.ts'
import { api, targets } from './targets.ts'

// Likely bugs, injected into the service: the fuzzer has to find each of them.

/** Enough for a slow machine. */
const seconds = 400

const bugs = [
  {
    name: 'an error of decompression becomes a 500',
    target: 'http',
    file: 'src/http/content-encoding.ts',
    find: "throw new ApiError(tooLarge ? 'body_too_large' : 'malformed_body')",
    replace: "throw tooLarge ? new ApiError('body_too_large') : error",
    message: /^500/,
  },
  {
    name: 'the fast path takes the second of two headers',
    target: 'http',
    file: 'src/api/fast-path/request.ts',
    find: 'if (request[field] !== undefined) return false',
    replace: '',
    message: /^the fast path answers otherwise/,
  },
  {
    name: 'an unreadable line is quoted',
    target: 'import',
    file: 'src/import-export/check-line.ts',
    find: '    return undefined\n',
    replace: '    throw new Error("cannot read " + text)\n',
    message: /^cannot read/,
  },
  {
    name: 'an export changes a state',
    target: 'import',
    file: 'src/import-export/export.ts',
    find: 'serializers[type](row)',
    replace:
      "serializers[type](row.state === 'revoked' && row.downloaded ? { ...row, state: 'refunded' } : row)",
    message: /^an export holds less than is stored/,
  },
]

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'saleproof-fuzz-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(bugs)('the code of $file is still there', ({ file, find }) => {
  expect(readFileSync(join(api, file), 'utf8')).toContain(find)
})

test.each(bugs)(
  'finds: $name',
  async ({ target: name, file, find, replace, message }) => {
    const target = targets[name]
    if (!target) throw new Error(name)
    const report = await runTarget({
      ...target,
      // Not the corpus of the repository: it may hold the very input.
      corpus: join(folder, `${name}.txt`),
      seed: 7,
      seconds,
      save: false,
      maxFindings: 1,
      bugs: [{ file, find, replace }],
    })
    expect(report.findings[0]?.message).toMatch(message)
  },
  450_000,
)
