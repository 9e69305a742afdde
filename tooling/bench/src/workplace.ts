import { mkdtempSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from './context.ts'
import type { Databases } from './data/prepare.ts'
import { type RunningServer, type StartOptions, startServer } from './server-process.ts'

export interface Workplace {
  folder: string
  start: (options: Omit<StartOptions, 'folder'>) => Promise<RunningServer>
}

/** A folder for one run. What was started in it is stopped, and the folder removed, whatever happens. */
export async function withWorkplace<T>(
  context: Context,
  act: (workplace: Workplace) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(context.cache, 'run-'))
  const running: RunningServer[] = []
  try {
    return await act({
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

/** Databases that a run may write to: the cached ones stay as they were imported. The peers only read theirs. */
export async function copyInto({ folder }: Workplace, databases: Databases): Promise<Databases> {
  // On a server the service writes to nothing that is compared.
  if (databases.service.includes('://')) return databases
  const service = join(folder, 'saleproof.db')
  await copyFile(databases.service, service)
  return { ...databases, service }
}
