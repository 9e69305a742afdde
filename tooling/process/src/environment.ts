import { delimiter, dirname } from 'node:path'
import { runSync } from './run.ts'

/** Variables of package managers, test runners and Node.js. */
const toolVariables =
  /^(npm_(?!config_(globalconfig|userconfig|registry|cafile|cache)$)|pnpm_|INIT_CWD|NODE_(?!EXTRA_CA_CERTS$)|VITEST|TEST$|MODE$|DEV$|PROD$|TURBO_)/i

const systemPath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))

/** The system's npm settings: an npm that runs on another Node.js looks for them elsewhere. */
const globalConfig = () =>
  process.env.npm_config_globalconfig ??
  runSync(['npm', 'config', 'get', 'globalconfig'], {
    cwd: process.cwd(),
    env: { ...process.env, PATH: systemPath.join(delimiter) },
  }).trim()

/** An environment without anything of this repository; with a Node.js first on the path, where one is given. */
export function plainEnvironment(node?: string): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !toolVariables.test(name))
  return {
    ...Object.fromEntries(kept),
    npm_config_globalconfig: globalConfig(),
    PATH: [...(node ? [dirname(node)] : []), ...systemPath].join(delimiter),
  }
}
