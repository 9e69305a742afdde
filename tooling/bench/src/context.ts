/** What the entry file knows of the machine and the repository. */
export interface Context {
  /** The folder of this package. */
  home: string
  /** The folder of the service. */
  api: string
  /** Holds data sets and everything temporary. */
  cache: string
  /** The Node.js that runs all servers. */
  node: string
  cores: number
  /** The environment of servers and commands, without what the bench sets itself. */
  env: Readonly<Record<string, string | undefined>>
  /** Reports progress. */
  log: (line: string) => void
}

/** The deployment's secret: the same in every run, so that a cached database still opens. */
export const benchSecret = 'a secret of the bench that protects nothing at all'

export const isPostgres = (database: string) => database.includes('://')

/** The `DATABASE_URL` of a database: a PostgreSQL URL, or the path of an SQLite file. */
export const databaseUrl = (database: string) => (isPostgres(database) ? database : `file:${database}`)
