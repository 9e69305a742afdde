import type { ClientBase } from 'pg'
import { appendAuditOn, renewIdentityOn } from '../../../audit/append-on-postgresql.ts'
import { createReencryptor, type KeyRow, pageLength, type Reencryption, secretRotated } from '../reencrypt.ts'

const page = `SELECT "id", "keyHash", "keyCipher", "revokedAt" FROM "ApiKey" WHERE "id" > $1 ORDER BY "id" LIMIT ${pageLength}`

const update = `UPDATE "ApiKey" SET "keyHash" = n."keyHash", "keyCipher" = n."keyCipher"
  FROM unnest($1::text[], $2::text[], $3::bytea[]) AS n("id", "keyHash", "keyCipher") WHERE "ApiKey"."id" = n."id"`

async function reencryptKeys(client: ClientBase, options: Reencryption): Promise<number> {
  const reencryptor = createReencryptor(options)
  const next = async (after: string) => (await client.query<KeyRow>(page, [after])).rows
  for (let rows = await next(''); rows.length; rows = await next(rows.at(-1)?.id ?? '')) {
    const keys = reencryptor.add(rows)
    await client.query(update, [
      keys.map(({ id }) => id),
      keys.map(({ keyHash }) => keyHash),
      keys.map(({ keyCipher }) => Buffer.from(keyCipher)),
    ])
  }
  return reencryptor.end()
}

/** `reencrypt` for PostgreSQL, where the deployment gets another identity as well. */
export async function reencryptOn(client: ClientBase, options: Reencryption & { identity: string }) {
  const { from, to, at } = options
  const keys = await reencryptKeys(client, options)
  await appendAuditOn(client, [secretRotated(at, keys)], from)
  await renewIdentityOn(client, options)
  await client.query('UPDATE "Deployment" SET "secretCheck" = $1 WHERE "id" = 1', [to.check()])
  return keys
}
