import { expect, test } from 'vitest'
import { codeSpans } from './markdown.ts'
import { files, read } from './repository.ts'

const page = 'docs/architecture.md'

/** Each workspace package, and the folders of `apps/api`. */
const folders = new Set(
  files.flatMap((file) => {
    const [, name] = /^((?:packages|apps|clients|tooling)\/[^/]+)\//.exec(file) ?? []
    const [, inApi] = /^apps\/api\/((?:src\/[^/]+|(?!src\/)[a-z]+))\//.exec(file) ?? []
    return [name, inApi].filter((folder) => folder !== undefined && folder !== 'apps/api')
  }),
)

test(`${page} names every folder, and no other`, () => {
  const named = codeSpans(read(page)).filter((code) =>
    /^(?:packages|apps|clients|tooling|src)\/|^[a-z]+$/.test(code),
  )
  expect([...folders].filter((folder) => !named.includes(folder!))).toEqual([])
  const tree = new Set([...folders, 'apps/api'])
  const gone = named.filter((code) => code.includes('/') && !tree.has(code))
  expect(gone.filter((code) => code !== 'api/fast-path')).toEqual([])
})
