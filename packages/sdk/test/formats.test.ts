import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'

// The built package: what a program gets by `import`, by `require`, and from the sources.

const packageRoot = join(import.meta.dirname, '..')
const require = createRequire(import.meta.url)
const manifest: {
  exports: Record<string, { '@saleproof/source'?: string }>
  publishConfig: { exports: Record<string, string | { default: string }> }
} = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'))

const entries = Object.entries(manifest.exports).flatMap(([entry, { '@saleproof/source': source }]) =>
  source ? [[entry, source] as const] : [],
)

it('publishes every entry of the sources', () => {
  expect(Object.keys(manifest.publishConfig.exports)).toEqual(Object.keys(manifest.exports))
})

it.each(entries)('%s has the same names by `import` and by `require`', async (entry, source) => {
  const published = manifest.publishConfig.exports[entry]
  if (!published) throw new Error(`${entry} is not published`)
  const file = join(packageRoot, typeof published === 'string' ? published : published.default)
  const names = Object.keys(await import(join(packageRoot, source))).sort()
  expect(names).not.toEqual([])
  // By its address: Vitest would transform a path.
  const esm = await import(/* @vite-ignore */ `file://${file}`)
  expect(Object.keys(esm).sort()).toEqual(names)
  expect(Object.keys(require(file)).sort()).toEqual(names)
})
