import type { Pool, QueryConfig } from 'pg'
import type { Transact } from '../database.ts'
import { DatabaseError, isBusy } from '../errors.ts'
import { type Row, runStepsAsync } from '../sql-steps.ts'
import type { Address } from './address.ts'
import { rowTypes } from './row-types.ts'
import { scopeLocks } from './transactions.ts'

/** The server plans a statement once for each connection: as many of them as are the usual ones. */
const maxPrepared = 100

/** Names for the first statements. PgBouncer may give each transaction another connection, which does not know them. */
function createNames({ pgbouncer }: Address) {
  const names = new Map<string, string>()
  return (sql: string): string | undefined => {
    if (!pgbouncer && names.size < maxPrepared && !names.has(sql)) names.set(sql, `steps-${names.size}`)
    return names.get(sql)
  }
}

/** A standby refuses the one that writes. */
const begin = { readonly: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', write: 'BEGIN READ WRITE' }

/** The first of the failures of queries that follow each other: the others fail because it did. */
async function firstFailure(queries: readonly Promise<unknown>[]): Promise<unknown> {
  const results = await Promise.allSettled(queries)
  return results.find((result) => result.status === 'rejected')?.reason
}

/** Runs transactions on a pool whose connections send queries without waiting for the results of those before. */
export function createTransact(pool: Pool, address: Address): Transact {
  const nameOf = createNames(address)

  return async function transact(steps, { readonly = false, scope, throwIfAborted = () => {} } = {}) {
    const client = await pool.connect()
    const sent: Promise<unknown>[] = []
    let failure: unknown

    function send(query: string | QueryConfig) {
      const result = client.query(query)
      result.catch(() => {})
      sent.push(result)
      return result
    }
    function sendStep(text: string, values: unknown[]) {
      throwIfAborted()
      return send({ name: nameOf(text), text, values, types: rowTypes })
    }
    async function run(text: string, ...values: unknown[]): Promise<Row[]> {
      return (await sendStep(text, values)).rows
    }
    function runUnread(text: string, ...values: unknown[]): Row[] {
      sendStep(text, values)
      return []
    }

    try {
      send(readonly ? begin.readonly : begin.write)
      if (!readonly) for (const [text, ...values] of scopeLocks(scope)) sendStep(text, values)
      const result = await runStepsAsync(steps(), run, runUnread)
      throwIfAborted()
      send('COMMIT')
      failure = await firstFailure(sent)
      if (failure !== undefined) throw failure
      return result
    } catch (error) {
      failure = (await firstFailure(sent)) ?? error
      await client.query('ROLLBACK').catch(() => {})
      throw failure
    } finally {
      client.release(failure instanceof DatabaseError && !isBusy(failure))
    }
  }
}
