import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runSync } from '@saleproof/process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contentProblems, publintProblems } from './contents.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'saleproof-contents-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A tarball as pnpm packs it. */
function tarballOf(manifest: object, files: readonly string[]): string {
  const all = { 'package.json': JSON.stringify({ version: '1.0.0', ...manifest }) }
  for (const [file, text] of [...Object.entries(all), ...files.map((file) => [file, ''] as const)]) {
    const path = join(folder, 'package', file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const tarball = join(folder, 'packed.tgz')
  runSync(['tar', '-czf', tarball, 'package'], { cwd: folder })
  return tarball
}

const manifest = {
  bin: { tool: './bin/tool.js' },
  exports: {
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './records/*': ['./dist/records/*.js'],
    './package.json': './package.json',
    './hidden': null,
  },
}
const built = ['bin/tool.js', 'dist/index.d.ts', 'dist/index.js', 'dist/records/a.js']

test('a package that is built has what it names', async () => {
  expect((await publintProblems(tarballOf(manifest, built))).join()).not.toContain('does not exist')
})

test.each(built)('a package without %s is refused', async (missing) => {
  const tarball = tarballOf(
    manifest,
    built.filter((file) => file !== missing),
  )
  expect((await publintProblems(tarball)).join()).toMatch(
    new RegExp(`${missing.replace('a.js', '\\*.js')}.* not (exist|match any files)`),
  )
})

test('a service that is not built is refused with its reason', () => {
  const problems = contentProblems(tarballOf({ bin: { saleproof: './bin/saleproof.js' } }, []), {
    root: folder,
  })
  expect(problems).toContain('dist/main.mjs is missing')
})
