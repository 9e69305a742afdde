import type { ClientBase } from 'pg'
import type { Address } from '../../db/postgres/address.ts'
import { fastPathConnections } from '../../db/postgres/pool.ts'
import type { Report } from './report.ts'

/** What is to run on the database. */
export interface Planned {
  instances: number
  /** Processes of each instance. */
  processes: number
}

/** An import, a command and a look of the operator at the same time. */
const forCommands = 3

const limitsQuery = `
SELECT current_setting('max_connections')::int
    - (SELECT coalesce(sum(setting::int), 0)::int FROM pg_settings
        WHERE name IN ('superuser_reserved_connections', 'reserved_connections')) AS server,
  (SELECT datconnlimit FROM pg_database WHERE datname = current_database()) AS database,
  (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS role`

/** The smallest limit that the server, the database and the role have; -1 is none. */
async function lowestLimit(client: ClientBase): Promise<[string, number]> {
  const { rows } = await client.query(limitsQuery)
  const limits = Object.entries<number>(rows[0]).filter(([, limit]) => limit >= 0)
  return limits.reduce((lowest, limit) => (limit[1] < lowest[1] ? limit : lowest))
}

/** Whether all processes can open the connections that they need at most. */
export async function checkConnections(
  client: ClientBase,
  { poolSize, pgbouncer }: Address,
  { instances, processes }: Planned,
  { problem }: Report,
): Promise<string | undefined> {
  // It opens as many as its own configuration says.
  if (pgbouncer) return undefined
  const each = poolSize + fastPathConnections
  const total = instances * processes
  const needed = total * each + forCommands
  const [holder, limit] = await lowestLimit(client)
  const needing = instances === 1 ? '1 instance needs' : `${instances} instances need`
  const holders = total === 1 ? 'its process' : `each of ${total} processes`
  const finding = `${needing} ${needed} connections: ${each} for ${holders}, and ${forCommands} for imports and commands; the ${holder} allows ${limit}`
  if (limit < needed)
    problem(
      finding,
      holder === 'server'
        ? 'raise max_connections, set a smaller ?connection_limit= in DATABASE_URL or WEB_CONCURRENCY, or put PgBouncer in between'
        : `raise it with ALTER ${holder.toUpperCase()} … CONNECTION LIMIT, or set a smaller ?connection_limit= in DATABASE_URL or WEB_CONCURRENCY`,
    )
  return finding
}
