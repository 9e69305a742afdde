import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from './context.ts'
import { type RunningServer, type StartOptions, startServer } from './server-process.ts'

export interface RunDirectory {
  folder: string
  start: (options: Omit<StartOptions, 'folder'>) => Promise<RunningServer>
}

/** Makes a folder for one run. Afterwards its servers are stopped and the folder is removed, whatever happens. */
export async function withRunDirectory<T>(
  context: Context,
  run: (directory: RunDirectory) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(context.cache, 'run-'))
  const running: RunningServer[] = []
  try {
    return await run({
      folder,
      async start(options) {
        const server = await startServer(context, { ...options, folder })
        running.push(server)
        return server
      },
    })
  } finally {
    await Promise.all(running.map((server) => server.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}
