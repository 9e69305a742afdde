import type { ClientBase } from 'pg'
import { appendAuditOn, renewIdentityOn } from '../../audit/append-on-postgresql.ts'
import { createResealer, type KeyRow, pageLength, type Reseal, rotated } from '../reencrypt.ts'

const page = `SELECT "id", "keyHash", "keyCipher", "revokedAt" FROM "ApiKey" WHERE "id" > $1 ORDER BY "id" LIMIT ${pageLength}`

const update = `UPDATE "ApiKey" SET "keyHash" = n."keyHash", "keyCipher" = n."keyCipher"
  FROM unnest($1::text[], $2::text[], $3::bytea[]) AS n("id", "keyHash", "keyCipher") WHERE "ApiKey"."id" = n."id"`

async function resealKeys(client: ClientBase, reseal: Reseal): Promise<number> {
  const resealer = createResealer(reseal)
  const next = async (after: string) => (await client.query<KeyRow>(page, [after])).rows
  for (let rows = await next(''); rows.length; rows = await next(rows.at(-1)!.id)) {
    const sealed = resealer.take(rows)
    await client.query(update, [
      sealed.map(({ id }) => id),
      sealed.map(({ keyHash }) => keyHash),
      sealed.map(({ keyCipher }) => Buffer.from(keyCipher)),
    ])
  }
  return resealer.end()
}

interface ResealOn extends Reseal {
  /** What the deployment is called from now on. */
  identity: string
}

/** `reseal` for PostgreSQL, where the deployment gets another identity as well. */
export async function resealOn(client: ClientBase, options: ResealOn): Promise<number> {
  const { from, to, at } = options
  const keys = await resealKeys(client, options)
  await appendAuditOn(client, [rotated(at, keys)], from)
  await renewIdentityOn(client, options)
  await client.query('UPDATE "Deployment" SET "secretCheck" = $1 WHERE "id" = 1', [to.check()])
  return keys
}
