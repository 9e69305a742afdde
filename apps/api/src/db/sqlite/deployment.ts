import Sqlite, { type Database } from 'better-sqlite3'
import { sqliteDateTime } from '../../records/sqlite-datetime.ts'

/** What a database says of the deployment that it belongs to. */
export interface Deployment {
  identity: string
  secretCheck: string
}

/** The row of the deployment. Read and made without Prisma: a service that starts should not wait for it to load. */
export function deploymentIn(file: string, { busyTimeoutMs }: { busyTimeoutMs: number }) {
  function open<T>(act: (database: Database) => T): T {
    const database = new Sqlite(file, { fileMustExist: true, timeout: busyTimeoutMs })
    try {
      database.pragma('synchronous = FULL')
      return act(database)
    } finally {
      database.close()
    }
  }

  const read = (database: Database) =>
    database.prepare<[], Deployment>('SELECT identity, secretCheck FROM Deployment WHERE id = 1').get()

  return {
    read: (): Deployment | undefined => open(read),

    /** Makes the row, and whatever belongs with it, unless another process was faster; gives the one that stands. */
    register: (
      { identity, secretCheck }: Deployment,
      now: Date,
      begin: (database: Database) => void,
    ): Deployment =>
      open((database) => {
        const insert = database.prepare(
          `INSERT INTO Deployment (id, identity, secretCheck, createdAt) VALUES (1, ?, ?, ?)
           ON CONFLICT (id) DO NOTHING`,
        )
        database
          .transaction(() => {
            if (insert.run(identity, secretCheck, sqliteDateTime(now)).changes) begin(database)
          })
          .immediate()
        return read(database)!
      }),
  }
}
