import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')

export const api = join(root, 'apps/api')

const target = (name: string) => ({
  program: join(api, `test/fuzz/${name}.ts`),
  cwd: api,
  corpus: join(root, `tooling/fuzz/corpus/${name}.txt`),
  instrument: ['/apps/api/src/', '/packages/schema/src/'],
})

export const targets: Readonly<Record<string, ReturnType<typeof target>>> = {
  http: target('http'),
  import: target('import'),
}
