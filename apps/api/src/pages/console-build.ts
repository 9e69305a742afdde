import { fileURLToPath } from 'node:url'

/** Where the build lays the pages of the console: one folder above both the sources and the build. */
export const consoleBuild = fileURLToPath(new URL('../../dist/console', import.meta.url))
