import { hashPassword, verifyPassword } from '../crypto/password.ts'

/** Hashes that an account may have already. */
export interface KnownPasswords {
  /** Given by an earlier line. */
  staged: (username: string) => string | undefined | Promise<string | undefined>
  stored: (username: string) => string | undefined | Promise<string | undefined>
}

/** Hashes passwords; one that the account has already keeps its hash, so that loading a file twice changes nothing. */
export function createPasswords({ staged, stored }: KnownPasswords) {
  return {
    async hash(username: string, password: string): Promise<string> {
      for (const known of [await staged(username), await stored(username)]) {
        if (known && (await verifyPassword(known, password))) return known
      }
      return hashPassword(password)
    },
  }
}

export type Passwords = ReturnType<typeof createPasswords>
