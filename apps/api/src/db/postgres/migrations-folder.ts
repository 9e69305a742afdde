/** The migrations for PostgreSQL are beside those for SQLite. */
export const postgresMigrationsFolder = (migrations: string) => `${migrations}-postgresql`
