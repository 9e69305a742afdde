import { join } from 'node:path'
import { startPostgres } from '@saleproof/postgres'
import type { Context } from '../context.ts'
import { prepareOnPostgres } from '../data/prepare-postgres.ts'
import type { Options } from '../options.ts'
import { postgresServers } from '../servers.ts'
import { compareServers } from './compare.ts'

/** Enough for the large data set to be in memory, as it is on a server for it; nothing is given up for speed. */
const settings = { shared_buffers: '1GB', max_wal_size: '4GB', max_connections: 100 }

/** The service on PostgreSQL beside raw `node:http` and `pg` on the same server. */
export async function comparePostgres(context: Context, options: Options): Promise<boolean> {
  const server = await startPostgres({ folder: join(context.cache, 'postgres'), settings })
  try {
    return await compareServers(context, options, {
      servers: postgresServers,
      prepare: (_, dataSet) => prepareOnPostgres(context, dataSet, server.url),
    })
  } finally {
    await server.remove()
  }
}
