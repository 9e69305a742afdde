import type { ClientBase } from 'pg'
import {
  type AuditEvent,
  type AuditHead,
  type AuditHome,
  type AuditSealer,
  extend,
  isGenuine,
  sealHead,
} from './chain.ts'

const noHead: AuditHead = { count: 0, hash: '', identity: '', seal: '' }

async function readStateOn(client: ClientBase) {
  const head = await client.query<AuditHead>(
    'SELECT "count", "hash", "identity", "seal" FROM "AuditHead" WHERE "id" = 1 FOR UPDATE',
  )
  const last = await client.query<{ number: number | null }>(
    'SELECT max("number") AS "number" FROM "AuditEntry"',
  )
  const home = await client.query<{ createdAt: Date }>('SELECT "createdAt" FROM "Deployment" WHERE "id" = 1')
  return { head: head.rows[0] ?? noHead, lastNumber: last.rows[0]?.number ?? 0, home: home.rows[0] }
}

const writeHeadOn = (client: ClientBase, { count, hash, identity, seal }: AuditHead) =>
  client.query(
    `INSERT INTO "AuditHead" ("id", "count", "hash", "identity", "seal") VALUES (1, $1, $2, $3, $4)
     ON CONFLICT ("id") DO UPDATE SET "count" = $1, "hash" = $2, "identity" = $3, "seal" = $4`,
    [count, hash, identity, seal],
  )

/** `appendAudit` for who writes to PostgreSQL itself, all of its events at once. The caller holds the transaction and the write lock. */
export async function appendAuditOn(client: ClientBase, events: readonly AuditEvent[], sealer: AuditSealer) {
  const { home, ...begun } = await readStateOn(client)
  let state = begun
  for (const event of events) {
    const { entry, head } = extend({ ...state, event, home, sealer })
    const { number, at, action, actor, workspaceId, subject, previousHash, hash } = entry
    await client.query(
      `INSERT INTO "AuditEntry" ("number", "at", "action", "actor", "workspaceId", "subject", "previousHash", "hash")
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [number, at.toISOString(), action, actor, workspaceId, subject, previousHash, hash],
    )
    state = { head, lastNumber: number }
  }
  await writeHeadOn(client, state.head)
}

/** Seals the empty log of a deployment. The caller holds the transaction that makes the deployment. */
export async function beginAuditOn(client: ClientBase, sealer: AuditSealer) {
  const { rows } = await client.query<AuditHome & { identity: string }>(
    'SELECT "identity", "createdAt" FROM "Deployment" WHERE "id" = 1',
  )
  // The caller has made the row.
  const { identity, createdAt } = rows[0]!
  const head = { ...noHead, identity }
  await writeHeadOn(client, { ...head, seal: sealHead(head, { createdAt }, sealer) })
}

interface Renewal {
  /** What sealed the log until now, and what seals it from now on. */
  from: AuditSealer
  to: AuditSealer
  identity: string
}

/**
 * Gives a deployment another identity, which its log notes. An instance that knows the one before answers nothing from its next connection
 * on. The caller holds the transaction, and no other process is connected.
 */
export async function renewIdentityOn(client: ClientBase, { from, to, identity }: Renewal) {
  const { head, home } = await readStateOn(client)
  const next = { ...head, identity }
  // A log that was tampered with is never sealed again.
  const seal = home && isGenuine(head, home, from) ? sealHead(next, home, to) : head.seal
  await writeHeadOn(client, { ...next, seal })
  await client.query('UPDATE "Deployment" SET "identity" = $1 WHERE "id" = 1', [identity])
}
