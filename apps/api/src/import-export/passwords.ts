import { hashPassword, verifyPassword } from '../crypto/password.ts'

type FindHash = (username: string) => string | undefined | Promise<string | undefined>

/** Hashes that an account may have already. */
export interface KnownPasswords {
  /** Given by an earlier line. */
  staged: FindHash
  stored: FindHash
}

/** A password that the account has already keeps its hash, so that loading a file twice changes nothing. */
export async function hashOnce({ staged, stored }: KnownPasswords, username: string, password: string) {
  for (const known of [await staged(username), await stored(username)]) {
    if (known && (await verifyPassword(known, password))) return known
  }
  return hashPassword(password)
}
