import { fileURLToPath } from 'node:url'

const fromSource = import.meta.url.endsWith('.ts')

/** The console's built pages, which the build copies into `dist/console`. */
export const consoleBuild = fileURLToPath(
  new URL(fromSource ? '../../dist/console' : './console', import.meta.url),
)
