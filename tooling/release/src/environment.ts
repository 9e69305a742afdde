import { execFileSync } from 'node:child_process'
import { delimiter, dirname } from 'node:path'

const ofPackageManagers =
  /^(npm_(?!config_(globalconfig|userconfig|registry|cafile|cache)$)|pnpm_|INIT_CWD|NODE_(?!EXTRA_CA_CERTS$)|VITEST|TEST$|MODE$|DEV$|PROD$|TURBO_)/i

const machinesPath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))

/** The machine's own npm settings also hold for the npm that runs on another Node.js, which would look for them elsewhere. */
const globalConfig = () =>
  process.env.npm_config_globalconfig ??
  execFileSync('npm', ['config', 'get', 'globalconfig'], {
    env: { ...process.env, PATH: machinesPath.join(delimiter) },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()

/** The environment of somebody who knows nothing of this repository, with a Node.js first on the path. */
export function plainEnvironment(node: string): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !ofPackageManagers.test(name))
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    npm_config_globalconfig: globalConfig(),
    PATH: [dirname(node), ...machinesPath].join(delimiter),
  }
}
