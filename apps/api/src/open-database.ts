import type { Resolver } from './api/fast-path/resolver.ts'
import type { OpenSigner } from './api/passes.ts'
import type { KeyVault } from './crypto/key-vault.ts'
import type { Database, Monitoring } from './db/database.ts'
import { databaseKind } from './db/location.ts'
import type { ImportRequest, ImportResult } from './domain/imports.ts'
import type { UsageStore } from './usage/usage-store.ts'

export interface ResolverSettings {
  defaultShape: 'base' | 'extended'
  now: () => number
  openSigner: OpenSigner
  /** Called with each error of the database that no route will meet. */
  onError: (error: unknown) => void
}

/**
 * Where a database is: in one file on the machine that serves, or on a server that any number of instances share. `backup` is the copy
 * that was made of the file before pending migrations were applied.
 */
export type Place =
  | { kind: 'sqlite'; file: string; backup: string | undefined }
  | { kind: 'postgresql'; url: string }

/** The database of a deployment, opened with the secret that it was made with, and what works on it. */
export interface OpenDatabase {
  place: Place
  database: Database
  monitoring: Monitoring
  vault: KeyVault
  /** The fast path's way to responses; the service closes it. */
  createResolver: (settings: ResolverSettings) => Resolver
  /** Imports records, all or nothing; the process goes on. An abort stops it; nothing is stored unless it was just being committed. */
  importRecords: (request: ImportRequest) => Promise<ImportResult>
  usage: UsageStore
  close: () => Promise<void>
}

export interface DatabaseOptions {
  databaseUrl: string
  /** The same database without PgBouncer in between, for what needs a connection of its own. */
  directUrl?: string | undefined
  secret: string | undefined
  cwd: string
  migrations: string
  busyTimeoutMs: number
  clock: () => Date
  /** Which SQLite files are migrated: each that is opened to serve, or for a command only a new one. */
  migrate: 'always' | 'when new'
  /** Whether to go on, and to record it, where an SQLite file has lost what was confirmed. */
  acceptLostWrites?: boolean
}

/** Opens the database of a deployment. Loads the driver of that one alone. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  if (databaseKind(options.databaseUrl) === 'sqlite')
    return (await import('./open-sqlite.ts')).openSqliteDeployment(options)
  return (await import('./open-postgres.ts')).openPostgres(options)
}
