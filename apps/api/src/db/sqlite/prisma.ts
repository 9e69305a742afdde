import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaClient } from '../../generated/sqlite/client.ts'
import { fromSystem } from '../errors.ts'
import { fromPrisma, mapErrors } from '../prisma.ts'
import { fromSqlite, kindOfSqliteCode } from './errors.ts'

interface PrismaOptions {
  /** The SQLite file: it exists and is migrated. */
  file: string
  /** How long a statement waits for a lock. The driver is synchronous: the whole process waits with it. */
  busyTimeoutMs: number
}

/** The adapter sets no journal mode, and SQLite's defaults of `synchronous` and `secure_delete` depend on how it was compiled. */
class DurableSqlite extends PrismaBetterSqlite3 {
  override async connect() {
    const adapter = await super.connect()
    await adapter.executeScript(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 0',
    )
    return adapter
  }
}

const fromDriver = (error: unknown) => fromPrisma(fromSystem(fromSqlite(error)), kindOfSqliteCode)

/** A Prisma client on an SQLite file. What it confirms is on the disk. */
export async function openPrisma({ file, busyTimeoutMs }: PrismaOptions) {
  const client = new PrismaClient({
    adapter: new DurableSqlite({ url: file, timeout: busyTimeoutMs, fileMustExist: true }),
    // Prisma prints errors with their arguments otherwise, and those may be purchase codes.
    log: [],
    errorFormat: 'minimal',
  })
  const prisma = mapErrors(client, fromDriver)
  await prisma.$connect()
  return { prisma, close: () => client.$disconnect() }
}
