import { type DatabaseErrorKind, databaseErrorKind, databaseErrorKinds } from '../db/errors.ts'

/** What is counted of the database, wherever it is asked. */
export function createDatabaseStats() {
  const troubles = new Map<DatabaseErrorKind, number>(databaseErrorKinds.map((kind) => [kind, 0]))
  let prismaQueries = 0
  return {
    /** Counts an error of the database by its kind. */
    recordError(error: unknown) {
      const kind = databaseErrorKind(error)
      troubles.set(kind, (troubles.get(kind) ?? 0) + 1)
    },
    notePrismaQuery() {
      prismaQueries++
    },
    troubles: () => [...troubles],
    prismaQueries: () => prismaQueries,
  }
}

export type DatabaseStats = ReturnType<typeof createDatabaseStats>
