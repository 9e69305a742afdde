import type { ClientBase, Pool, QueryConfig } from 'pg'
import type { TransactOptions, WriteScope } from '../database.ts'
import { DatabaseError, type DatabaseErrorKind } from '../errors.ts'
import { createSql, type Sql, type Statement } from '../sql.ts'
import type { Address } from './address.ts'
import { rowTypes } from './row-types.ts'
import { scopeLocks } from './transactions.ts'

/** The server plans a statement once for each connection: as many of them as are the usual ones. */
const maxPrepared = 100

/** A connection prepares for its first transaction, and again for each after so many. */
const prepareEvery = 1000

/** Names for the first statements. PgBouncer may give each transaction another connection, which does not know them. */
function createNames({ pgbouncer }: Address) {
  const names = new Map<string, string>()
  return (sql: string): string | undefined => {
    if (!pgbouncer && names.size < maxPrepared && !names.has(sql)) names.set(sql, `statement-${names.size}`)
    return names.get(sql)
  }
}

/**
 * The first writes nothing but tables of its own, and may wait for a slow reader. No request waits for a lock in the second, so other
 * instances may hold it for longer than a read waits. A standby refuses the one that writes.
 */
const begin = {
  readonly: 'BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL idle_in_transaction_session_timeout = 0',
  lossy: 'BEGIN; SET LOCAL synchronous_commit = off; SET LOCAL lock_timeout = 2000',
  write: 'BEGIN READ WRITE',
}

/** What says nothing of the connection: it goes back to the pool. */
const ofStatements = new Set<DatabaseErrorKind>(['busy', 'conflict', 'other'])

/** The first of the failures of queries that follow each other: the others fail because it did. */
async function firstFailure(queries: readonly Promise<unknown>[]): Promise<unknown> {
  const results = await Promise.allSettled(queries)
  return results.find((result) => result.status === 'rejected')?.reason
}

/** Runs transactions on a pool whose connections send queries without waiting for the results of those before. */
export function createTransact(pool: Pool, address: Address) {
  const statementName = createNames(address)
  /** How many transactions of a connection had something to prepare. */
  const preparedUses = new WeakMap<ClientBase, number>()

  return async function transact<Result>(
    act: (sql: Sql, client: ClientBase) => Promise<Result>,
    scope?: WriteScope,
    { prepare = [], readonly = false, lossy = false, signal }: TransactOptions = {},
  ): Promise<Result> {
    const client = await pool.connect()
    const uses = preparedUses.get(client) ?? 0
    const sent: Promise<void>[] = []
    let failure: unknown

    function send(query: string | QueryConfig) {
      const result = client.query(query)
      // Not with its rows.
      const done = result.then(() => {})
      done.catch(() => {})
      sent.push(done)
      return result
    }
    function sendStatement(...[text, ...values]: Statement) {
      signal?.throwIfAborted()
      return send({ name: statementName(text), text, values, types: rowTypes })
    }
    const sql = createSql(
      async (...statement) => (await sendStatement(...statement)).rows,
      async (...statement) => void sendStatement(...statement),
    )

    try {
      if (!address.pgbouncer && uses % prepareEvery === 0) for (const statement of prepare) send(statement)
      send(readonly ? begin.readonly : lossy ? begin.lossy : begin.write)
      if (!readonly && !lossy) for (const lock of scopeLocks(scope)) sendStatement(...lock)
      if (address.pgbouncer) for (const statement of prepare) send(statement)
      const result = await act(sql, client)
      signal?.throwIfAborted()
      send('COMMIT')
      failure = await firstFailure(sent)
      if (failure !== undefined) throw failure
      if (prepare.length) preparedUses.set(client, uses + 1)
      return result
    } catch (error) {
      failure = (await firstFailure(sent)) ?? error
      await client.query('ROLLBACK').catch(() => {})
      throw failure
    } finally {
      client.release(failure instanceof DatabaseError && !ofStatements.has(failure.kind))
    }
  }
}
