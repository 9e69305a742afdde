import { startPostgres } from '@saleproof/postgres'
import type { TestProject } from 'vitest/node'
import { createDatabase, migratedTemplate } from './postgres-databases.ts'
import { copyOfServer, makeShopTemplate, migrate } from './shop-template.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a database on the server that all tests share, as its superuser. */
    postgresUrl: string
    /** The folder of a stopped server with a migrated database of a deployment, to start others on copies of it. */
    shopTemplate: string
  }
}

// What is not safe is as good for a test; what is not usual here has to make no difference to anything.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: 300,
  timezone: 'Asia/Kathmandu',
  datestyle: 'SQL, DMY',
  standard_conforming_strings: 'on',
}

/** One server for all tests of a run, and in it a migrated database for each of them to have a copy of. */
export default async function startServer(project: TestProject) {
  const template = await makeShopTemplate()
  const own = copyOfServer(template.folder)
  const server = await startPostgres({ folder: own.folder, settings })
  await migrate(await createDatabase(server.url(), migratedTemplate))
  project.provide('postgresUrl', server.url())
  project.provide('shopTemplate', template.folder)
  return async () => {
    await server.remove()
    own.remove()
    template.remove()
  }
}
