import { databaseErrors, errorMetric } from '../db/errors.ts'

export function createDatabaseStats() {
  const errors = new Map(Object.values(databaseErrors).map(({ metric }) => [metric, 0]))
  let prismaQueries = 0
  return {
    recordError(error: unknown) {
      const metric = errorMetric(error)
      errors.set(metric, (errors.get(metric) ?? 0) + 1)
    },
    recordPrismaQuery() {
      prismaQueries++
    },
    errors: () => [...errors],
    prismaQueries: () => prismaQueries,
  }
}

export type DatabaseStats = ReturnType<typeof createDatabaseStats>
