import { startPostgres } from '@saleproof/postgres'
import type { TestProject } from 'vitest/node'
import { migrationsFolder } from '../../scripts/prisma-schema.ts'
import { readAddress } from '../../src/db/postgres/address.ts'
import { createPostgresMigrator } from '../../src/db/postgres/migrate.ts'
import { createDatabase, migratedTemplate } from './postgres-databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of a database of the server that all tests share, as its superuser. */
    postgresUrl: string
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
  const server = await startPostgres({ settings })
  await createDatabase(server.url(), migratedTemplate)
  const address = readAddress(server.url(migratedTemplate))
  const folder = migrationsFolder('postgresql')
  await createPostgresMigrator({ address, folder, clock: () => new Date() }).apply()
  project.provide('postgresUrl', server.url())
  return server.remove
}
