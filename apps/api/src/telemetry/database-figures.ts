import { databaseTroubleKind, type TroubleKind, troubleKinds } from '../database/trouble.ts'

/** What is counted of the database, wherever it is asked. */
export function createDatabaseFigures() {
  const troubles = new Map<TroubleKind, number>(troubleKinds.map((kind) => [kind, 0]))
  let prismaQueries = 0
  return {
    /** Counts an error of the database by its kind. */
    noteTrouble(error: unknown) {
      const kind = databaseTroubleKind(error)
      troubles.set(kind, (troubles.get(kind) ?? 0) + 1)
    },
    notePrismaQuery() {
      prismaQueries++
    },
    troubles: () => [...troubles],
    prismaQueries: () => prismaQueries,
  }
}

export type DatabaseFigures = ReturnType<typeof createDatabaseFigures>
