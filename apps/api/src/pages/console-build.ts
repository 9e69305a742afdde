import { fileURLToPath } from 'node:url'
import { packageRoot } from '../package-root.ts'

/** The console's pages, which the build copies. */
export const consoleBuild = fileURLToPath(new URL('dist/console', packageRoot))
