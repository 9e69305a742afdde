import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../package-root.ts'
import type { StaticFile } from './static-file.ts'
import { viewerTypes } from './viewer-types.ts'

const fromSource = import.meta.url.endsWith('.ts')

/** Not `import 'swagger-ui-dist'`: that would run the whole viewer in this process. The build holds a copy of what is served. */
const folder = () =>
  fromSource
    ? dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
    : fileURLToPath(new URL('dist/viewer', packageRoot))

/** The files of Swagger UI, by the name that they are served under. */
export const viewerFiles = (): readonly (readonly [name: string, file: StaticFile])[] =>
  Object.entries(viewerTypes).map(([name, type]) => [
    name,
    { type, cacheControl: 'public, max-age=3600', read: () => readFile(join(folder(), name)) },
  ])
