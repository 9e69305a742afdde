import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { UserError } from '../../user-error.ts'
import type { WriteScope } from '../database.ts'
import type { Statement } from '../sql.ts'
import { idleTransactionMs } from './address.ts'

/** Advisory lock ids: global, and the class of those per workspace. */
const writeLockNumber = 7_253_370_282
const scopeLockClass = 725_337

/** How long a writer waits for another one; those of workspaces wait twice. */
const writeTimeoutMs = 5000
const scopeTimeoutMs = 3000

/** They are set here as well because PgBouncer passes no others on. */
const timeouts = (lockTimeoutMs: number) => `set_config('lock_timeout', '${lockTimeoutMs}', true),
  set_config('idle_in_transaction_session_timeout', '${idleTransactionMs}', true)`

/**
 * Held by a transaction of ours that writes until it ends: one writes at a time, as in an SQLite file. What a writer has read to decide what
 * to write is so what is there when it writes. Statements of others, such as psql, share it by triggers. It is no lock of a table, so
 * vacuum goes on.
 */
export const writeLock = `SELECT ${timeouts(writeTimeoutMs)}, pg_advisory_xact_lock(${writeLockNumber})`

/**
 * What takes the locks of a scope, before anything else is locked. Writers of workspaces share the lock of all, and hold that of each of
 * their workspaces. The second statement sees what was committed while the first one waited.
 */
export function scopeLocks(scope?: WriteScope): readonly Statement[] {
  if (scope === undefined) return [[writeLock]]
  const [sql, ...values]: Statement =
    typeof scope === 'object' ? scope : ['SELECT $1::text AS "id"', String(scope)]
  const shared = `SELECT ${timeouts(scopeTimeoutMs)}, CASE WHEN count(*) = count("id") THEN pg_advisory_xact_lock_shared(${writeLockNumber})::text
    ELSE pg_advisory_xact_lock(${writeLockNumber})::text END FROM (${sql}) q`
  // In one order, or two writers could wait for each other. Scopes may share a lock.
  const own = `SELECT pg_advisory_xact_lock(${scopeLockClass}, "lock") FROM
    (SELECT DISTINCT hashtext("id") AS "lock" FROM (${sql}) q WHERE "id" IS NOT NULL ORDER BY 1) l`
  return [
    [shared, ...values],
    [own, ...values],
  ]
}

/** A process that has just ended leaves its connection to the server briefly. */
const connectionTimeoutMs = 2000
const lookEveryMs = 50

async function others(client: ClientBase): Promise<number> {
  // What the server says of its connections it keeps for the length of a transaction.
  await client.query('SELECT pg_stat_clear_snapshot()')
  // Every connection of ours has one name.
  const { rows } = await client.query(
    `SELECT count(*)::int AS others FROM pg_stat_activity WHERE datname = current_database()
     AND application_name = current_setting('application_name') AND pid <> pg_backend_pid()`,
  )
  return rows[0].others
}

/**
 * Keeps every other process of ours out until the transaction ends, after a check that none is connected. Every connection reads the deployment
 * first, and waits for it here; so a connection that is not listed now has not read anything yet. The caller has begun the transaction.
 */
export async function withExclusiveLock(client: ClientBase) {
  await client.query('LOCK TABLE "Deployment" IN ACCESS EXCLUSIVE MODE')
  const deadline = Date.now() + connectionTimeoutMs
  for (let count = await others(client); count > 0; count = await others(client)) {
    if (Date.now() > deadline)
      throw new UserError(
        `the database is in use (${count} connections of Saleproof): stop every instance and every other command first`,
      )
    await sleep(lookEveryMs)
  }
}

/** What a server may have set for the requests of a service would end what takes its time. */
export const withoutTimeouts =
  'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0'
