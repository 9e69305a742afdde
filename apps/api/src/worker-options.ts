import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import type { WorkerOptions } from 'node:worker_threads'

/**
 * What every thread is started with: nothing of the environment but where Node.js keeps what it has compiled, so that a thread does not
 * begin with compiling its modules.
 */
export function workerOptions(): WorkerOptions {
  const compiled = getCompileCacheDir()
  return {
    // Node.js makes a folder of its version in the one that it is given.
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
    ...(import.meta.url.endsWith('.ts') && { execArgv: ['--conditions=@saleproof/source'] }),
  }
}

/** The file of a worker beside a module: Node.js runs the source as it is; in a build it lies beside the bundle (an entry of tsdown.config.ts). */
export const workerFile = (name: string, module: string) =>
  new URL(module.endsWith('.ts') ? `./${name}.ts` : `./${name}.mjs`, module)
