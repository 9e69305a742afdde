import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Context } from '../context.ts'
import type { Schedule } from './client.ts'
import { type Load, type LoadResult, pinned } from './load.ts'
import { hasWrk, runWrk } from './wrk.ts'

const execute = promisify(execFile)

async function runOwnClient({ node, home }: Context, load: Load, schedule: Schedule): Promise<LoadResult> {
  const input = JSON.stringify({ load, schedule })
  const [command, args] = pinned(load.core, [node, `${home}/src/load/client-process.ts`, input])
  const { stdout } = await execute(command, args)
  return JSON.parse(stdout)
}

/** What puts the load on: wrk where it is installed, else a client in Node.js, which itself becomes the limit sooner. */
export function createLoader(context: Context) {
  const wrk = hasWrk()
  return {
    name: wrk ? 'wrk' : 'own client',
    /** As many requests as the server answers. */
    full: (load: Load) => (wrk ? runWrk(context, load) : runOwnClient(context, load, { rate: undefined })),
    /** So many requests a second, evenly: what the latency is then. */
    paced: (load: Load, rate: number) => runOwnClient(context, load, { rate }),
  }
}

export type Loader = ReturnType<typeof createLoader>
