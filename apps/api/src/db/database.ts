import type { Logger } from 'pino'
import type { AskOperations, Readiness } from './health.ts'
import type { AroundCall, Prisma, Transaction } from './prisma.ts'
import type { Sql, Statement } from './sql.ts'

/** In bytes, as far as they can be read. */
export interface DatabaseSizes {
  /** Each part by its name. */
  parts: Readonly<Record<string, number>>
  /** Free space on the disk of the database. */
  free: number | undefined
}

/** The row that says which deployment a database belongs to. */
export interface Deployment {
  identity: string
  secretCheck: string
}

/**
 * Rows of one query. `$1` is the first parameter. `fold(text)` is a text without case and accents.
 */
export type Read = Sql['query']

/**
 * What a transaction on PostgreSQL keeps others from writing until it ends: what is about the workspace or account with an id, or about one
 * of the ids that a query gives, or everything where it gives null for one. An SQLite file has one writer.
 */
export type WriteScope = string | number | Statement

export interface TransactOptions {
  /** Statements that its connection has to have run before. They may be run again. */
  prepare?: readonly string[]
  /** Whether the transaction holds no lock, and writes nothing but what it stages. */
  readonly?: boolean
  /** Whether a power loss may take back a second of what it writes. It holds no lock either, and is for a server: usage. */
  lossy?: boolean
  /** Ends it before a statement or the commit. */
  signal?: AbortSignal | undefined
}

/**
 * Runs a function in one transaction, which holds the lock of its scope, and waits for another writer without blocking the process. What it
 * confirms is on the disk.
 */
export type Transact<Tx = Transaction> = <Result>(
  act: (tx: Tx) => Promise<Result>,
  /** Without one it is everything. */
  scope?: WriteScope,
  options?: TransactOptions,
) => Promise<Result>

/** The port to what is stored: SQLite and PostgreSQL both implement it. */
export interface Database {
  /** Reads records. */
  prisma: Prisma
  transact: Transact
  /** Rows of a query that may read many, without blocking the process. */
  read: Read
  /**
   * Leaves nothing of what the action removes in the files of an SQLite database, or says what keeps it there; a command rewrites its file.
   * Rewrites that table of a server. An action that removed nothing gives 0 or false.
   */
  erasing: <T>(act: () => Promise<T>, table?: 'Account') => Promise<T>
}

/** What a service has of its database beside what is stored. */
export interface Monitoring {
  /** Called once, first: from then on the database answers only while it is the one that the deployment stores. */
  start: (given: { logger: Logger; around: AroundCall }) => void
  /** The readiness. Without `ask` the database says itself whether it responds. */
  health: (ask?: AskOperations) => Promise<Readiness>
  sizes: () => Promise<DatabaseSizes>
}
