/** The migrations for PostgreSQL are beside those for SQLite. */
export const migrationsOfPostgres = (migrations: string) => `${migrations}-postgresql`
