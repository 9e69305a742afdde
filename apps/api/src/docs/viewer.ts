import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { StaticFile } from './static-file.ts'

/** The only files of the viewer's package that are served. */
const types = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const

/** Not `import 'swagger-ui-dist'`: that would run the whole viewer in this process. */
const folder = () => dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** The files of Swagger UI, by the name that they are served under. */
export const viewerFiles = (): readonly (readonly [name: string, file: StaticFile])[] =>
  Object.entries(types).map(([name, type]) => [
    name,
    { type, cacheControl: 'public, max-age=3600', read: () => readFile(join(folder(), name)) },
  ])
