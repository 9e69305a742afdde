import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../package.ts'
import type { StaticFile } from './static-file.ts'
import { viewerTypes } from './viewer-types.ts'

const fromSource = import.meta.url.endsWith('.ts')

/** Not `import 'swagger-ui-dist'`, which would run the viewer in this process. The build contains a copy of the files. */
const folder = () =>
  fromSource
    ? dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
    : fileURLToPath(new URL('dist/viewer', packageRoot))

export const viewerFiles = (): readonly (readonly [name: string, file: StaticFile])[] =>
  Object.entries(viewerTypes).map(([name, type]) => [
    name,
    { type, cacheControl: 'public, max-age=3600', read: () => readFile(join(folder(), name)) },
  ])
