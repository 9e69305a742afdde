import { readFile } from 'node:fs/promises'
import { packageRoot } from '../../package.ts'
import type { StaticFile } from './static-file.ts'

const fromSource = import.meta.url.endsWith('.ts')

/** The client for plugins in PHP. The build contains a copy. */
export const phpClient: StaticFile = {
  type: 'text/plain; charset=utf-8',
  cacheControl: 'no-cache',
  read: () =>
    readFile(new URL(fromSource ? '../../clients/php/saleproof.php' : 'dist/saleproof.php', packageRoot)),
}
