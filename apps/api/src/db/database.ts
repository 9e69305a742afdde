import type { Logger } from 'pino'
import type { Resolver } from '../api/fast-path/resolver.ts'
import type { KeyVault } from '../crypto/key-vault.ts'
import type { ImportResult, ImportTask } from '../import-export/import.ts'
import type { ReadLastUses, UsageStore } from '../usage/usage-store.ts'
import type { Prisma } from './lazy-prisma.ts'
import { kindOf } from './location.ts'
import type { Health } from './sqlite/health.ts'
import type { Read } from './sqlite/reader.ts'
import type { DatabaseSizes } from './sqlite/sizes.ts'
import type { Write } from './transaction.ts'

/** What an import is told, but for where it goes. */
export type LoadOptions = Omit<ImportTask, 'vault'>

/** A deployment's data and what opens its keys: the same for whoever uses it, whichever database it is in. */
interface AnyDatabase {
  /** For reading; and for the one thing that a command does. */
  prisma: Prisma
  /** Several writes or none, beside whatever else the process does. One at a time; a lock is waited for, but not by the process. */
  write: Write
  /** Rows of one query that may look at many, in a process that serves: nobody waits for it but who asked. */
  read: Read
  vault: KeyVault
  /** For a service, before anything else: from now on nothing is answered that is not from the database as the deployment stores it. */
  startMonitoring: (logger: Logger) => void
  /** What is the matter with each part that has to work; of a database that is attended. */
  health: () => Promise<Health>
  /** Finds the answers of the fast path, where there is one; for a service, which closes it. */
  createResolver: (options: ResolverSettings) => Resolver | undefined
  /** Loads records, all or nothing. A process that serves loads beside its work instead. */
  load: (options: LoadOptions) => Promise<ImportResult>
  /** `load` in a process that serves. An abort stops it, and nothing is stored, unless it was just then being committed. */
  importInWorker: (options: LoadOptions & { signal?: AbortSignal }) => Promise<ImportResult>
  /** Everything that is stored, as the lines that `load` takes, in pieces. */
  export: () => AsyncIterable<string>
  /** Rows of one query, for whoever shall not wait for Prisma to load; `$1` is the first parameter. */
  select: <Row>(sql: string, ...parameters: string[]) => Promise<Row[]>
  /** Where it is kept what requests leave behind for sellers. */
  traffic: () => UsageStore
  /** When keys were used last, and by what, as far as it is written down. */
  lastUses: ReadLastUses
  /** Whatever is overwritten or removed meanwhile is not left where the database keeps it. */
  erasing: <T>(act: () => Promise<T>) => Promise<T>
  /** How large it is: for the metrics. */
  sizes: () => Promise<DatabaseSizes>
  close: () => Promise<void>
}

export interface ResolverSettings {
  defaultShape: 'base' | 'extended'
  now: () => number
  /** Told of each error of the database that the routes will not meet. */
  onError: (error: unknown) => void
}

/** One file, on the machine that serves. */
export interface SqliteDatabase extends AnyDatabase {
  kind: 'sqlite'
  databaseFile: string
  /** Where the database was copied to before pending migrations were applied. */
  backup: string | undefined
}

/** A database on a server that any number of instances share. */
export interface PostgresDatabase extends AnyDatabase {
  kind: 'postgresql'
  databaseUrl: string
}

export type Database = SqliteDatabase | PostgresDatabase

export interface DatabaseOptions {
  databaseUrl: string
  /** Where PgBouncer does not stand in between, for what needs a connection of its own. */
  directUrl?: string | undefined
  /** Copies on other servers that follow, which items may be read from. */
  replicaUrls?: readonly string[]
  secret: string | undefined
  cwd: string
  migrations: string
  busyTimeoutMs: number
  clock: () => Date
  /** Whether pending migrations are applied to an SQLite file: to serve, always; for a command, only to one that is not there yet. */
  migrate: 'always' | 'when new'
}

/** Opens the database of a deployment, migrated, with the secret that its keys were made with. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  // Neither driver is loaded for the other database.
  if (kindOf(options.databaseUrl) === 'sqlite')
    return (await import('./sqlite/database.ts')).openSqliteDatabase(options)
  return (await import('./postgres/database.ts')).openPostgresDatabase(options)
}
