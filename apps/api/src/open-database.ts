import type { Resolver } from './api/fast-path/resolver.ts'
import type { OpenSigner } from './api/passes.ts'
import type { KeyVault } from './crypto/key-vault.ts'
import type { PostgresDatabase, SqliteDatabase } from './db/database.ts'
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

/** What is the same of the deployment in either database. */
interface AnyDeployment {
  vault: KeyVault
  /** The fast path's way to responses; the service closes it. */
  createResolver: (settings: ResolverSettings) => Resolver
  /** Imports records, all or nothing; the process goes on. An abort stops it; nothing is stored unless it was just being committed. */
  importRecords: (request: ImportRequest) => Promise<ImportResult>
  usage: () => UsageStore
}

export type OpenSqlite = SqliteDatabase &
  AnyDeployment & {
    /** The copy that was made of the database before pending migrations were applied. */
    backup: string | undefined
  }

export type OpenPostgres = PostgresDatabase & AnyDeployment

/** The database of a deployment, opened with the secret that it was made with. */
export type OpenDatabase = OpenSqlite | OpenPostgres

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
