import { appliedMigrations, type HistoryDialect, type Migration } from './migration-history.ts'
import type { Sql } from './sql.ts'

/** What is a database's own in migrating it. `On` is its connection while it is migrated. */
interface Migrated<On extends Sql> extends HistoryDialect {
  /** The migrations of this build. */
  migrations: readonly Migration[]
  openToRead: <T>(act: (sql: Sql) => Promise<T>) => Promise<T>
  openToMigrate: <T>(act: (on: On) => Promise<T>) => Promise<T>
  /** Copies a database that holds data, before it is changed; gives the path of the copy. */
  backUp?: (on: On, next: Migration) => Promise<string | undefined>
  /** Keeps other processes from migrating meanwhile. */
  whileLocked: <T>(on: On, act: () => Promise<T>) => Promise<T>
  /** Runs a migration and notes it, both or neither. */
  run: (on: On, migration: Migration) => Promise<unknown>
}

/**
 * Brings a database to the schema of this build: each migration once, however many processes start, since each looks what is pending when
 * it has the lock. Prisma's own engine is not needed for that.
 */
export function createMigrator<On extends Sql>(database: Migrated<On>) {
  const { migrations } = database

  async function read(sql: Sql) {
    const applied = await appliedMigrations(sql, migrations, database)
    return { applied, pending: migrations.filter(({ name }) => !applied.includes(name)) }
  }

  const runNext = (on: On) =>
    database.whileLocked(on, async () => {
      const [next] = (await read(on)).pending
      if (next) await database.run(on, next)
      return next?.name
    })

  return {
    status: () =>
      database.openToRead(async (sql) => {
        const { applied, pending } = await read(sql)
        return { applied, pending: pending.map(({ name }) => name) }
      }),

    /** Applies all pending migrations; returns their names, and the path of the copy that was made before. */
    apply: () =>
      database.openToMigrate(async (on) => {
        const [next] = (await read(on)).pending
        const backup = next && (await database.backUp?.(on, next))
        const applied: string[] = []
        for (let name = await runNext(on); name; name = await runNext(on)) applied.push(name)
        return { applied, backup }
      }),
  }
}

export type Migrator = ReturnType<typeof createMigrator>
