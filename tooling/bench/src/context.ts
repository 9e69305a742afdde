/** What the entry file knows of the machine and the repository. */
export interface Context {
  /** The folder of this package. */
  home: string
  /** The folder of the service. */
  api: string
  /** Where data sets and everything temporary is kept. */
  cache: string
  /** The Node.js that runs all servers. */
  node: string
  cores: number
  /** What servers get of the environment, beside what the bench sets itself. */
  env: Readonly<Record<string, string | undefined>>
  /** Says what is going on. */
  say: (line: string) => void
}

/** The deployment's secret: the same every time, so that a cached database still opens. */
export const benchSecret = 'a secret of the bench that protects nothing at all'

export const serviceEntry = ({ api }: Context) => `${api}/bin/saleproof.js`

/** The address of a database: what is none is the path of an SQLite file. */
export const addressOf = (database: string) => (database.includes('://') ? database : `file:${database}`)
