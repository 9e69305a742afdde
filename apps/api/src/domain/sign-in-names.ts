import type { Sql } from '../db/sql.ts'
import { DomainError } from './domain-error.ts'

const findOther = `
  SELECT o."id" FROM "Account" a JOIN "Account" o ON o."id" <> a."id" AND (lower(o."email") = lower(a."username")
    OR (a."email" <> '' AND lower(a."email") IN (lower(o."email"), lower(o."username"))))
  WHERE a."id" = $1 LIMIT 1`

/**
 * Refuses an account that was just written with what another signs in with. Names win when owners sign in, and an address that accounts
 * share works for none of them: either would lock the other owner out.
 */
export async function requireOwnSignInNames(sql: Sql, id: string): Promise<void> {
  const [other] = await sql.query(findOther, id)
  if (other) throw new DomainError('email_taken')
}
