import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type { SqlDriverAdapter, SqlQuery } from '@prisma/driver-adapter-utils'
import { PrismaClient } from '../../generated/sqlite/client.ts'
import { joinedConnection, partOfTransaction } from '../prisma.ts'
import { adapterOptions } from './connection.ts'
import { fromSqlite } from './errors.ts'
import type { Writer } from './writer.ts'

interface PrismaOptions {
  /** It exists and is migrated. */
  databaseFile: string
  /** How long a query waits for a lock. The driver is synchronous: the whole process waits with it. */
  busyTimeoutMs: number
  writer: Writer
  /** How long what a transaction does may take. */
  limitMs: number
}

const readsAlone = /^\s*SELECT\b/i

/** Those of the other thread come as such. */
function throwAsDatabaseError(error: unknown): never {
  throw fromSqlite(error)
}

/** Reads on a connection of this thread, writes on that of the storage thread. */
class SqliteAdapter extends PrismaBetterSqlite3 {
  readonly #writer: Writer

  constructor({ databaseFile, busyTimeoutMs, writer }: PrismaOptions) {
    super({ url: databaseFile, timeout: busyTimeoutMs, fileMustExist: true }, adapterOptions)
    this.#writer = writer
  }

  override async connect() {
    const reading = await super.connect()
    await reading.executeScript('PRAGMA query_only = ON')
    const writer = this.#writer
    const { provider, adapterName } = reading
    const read = (query: SqlQuery) => reading.queryRaw(query).catch(throwAsDatabaseError)
    const adapter: SqlDriverAdapter = {
      provider,
      adapterName,
      queryRaw: (query) =>
        readsAlone.test(query.sql) ? read(query) : writer.once({ method: 'queryRaw', query, joined: false }),
      executeRaw: (query) => writer.once({ method: 'executeRaw', query, joined: false }),
      executeScript: (sql) => reading.executeScript(sql),
      async startTransaction() {
        // Any other is of queries that Prisma sends together, and writes nothing.
        const joined = joinedConnection.getStore() !== undefined
        return {
          provider,
          adapterName,
          queryRaw: (query) => (joined ? writer.call({ method: 'queryRaw', query, joined }) : read(query)),
          executeRaw: (query) =>
            joined ? writer.call({ method: 'executeRaw', query, joined }) : reading.executeRaw(query),
          ...partOfTransaction,
        }
      },
      dispose: () => reading.dispose(),
    }
    // Prisma calls nothing else of the adapter that its class declares.
    return adapter as typeof reading
  }
}

/** A Prisma client on an SQLite file. What it confirms is on the disk. */
export async function openPrisma(options: PrismaOptions) {
  const prisma = new PrismaClient({
    adapter: new SqliteAdapter(options),
    // Prisma prints errors with their arguments otherwise, and those may be purchase codes.
    log: [],
    errorFormat: 'minimal',
    transactionOptions: { timeout: options.limitMs },
  })
  await prisma.$connect()
  return { prisma, close: () => prisma.$disconnect() }
}
