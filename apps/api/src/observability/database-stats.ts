import { type DatabaseErrorKind, databaseErrorKind, databaseErrorKinds } from '../db/errors.ts'

/** Counts database errors and Prisma queries. */
export function createDatabaseStats() {
  const errors = new Map<DatabaseErrorKind, number>(databaseErrorKinds.map((kind) => [kind, 0]))
  let prismaQueries = 0
  return {
    recordError(error: unknown) {
      const kind = databaseErrorKind(error)
      errors.set(kind, (errors.get(kind) ?? 0) + 1)
    },
    recordPrismaQuery() {
      prismaQueries++
    },
    errors: () => [...errors],
    prismaQueries: () => prismaQueries,
  }
}

export type DatabaseStats = ReturnType<typeof createDatabaseStats>
