import { hash, verify } from '@node-rs/argon2'
import type { StagedDatabase } from './staging.ts'

const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/** An argon2id hash in the PHC form. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost)

interface PasswordsOptions {
  db: StagedDatabase
  /** Another connection for the stored hash: reading it through the first would hold a snapshot while the file is read. */
  stored: { passwordHash: (username: string) => string | undefined }
}

/** Hashes passwords; one that the account has already keeps its hash, so that loading a file twice changes nothing. */
export function createPasswords({ db, stored }: PasswordsOptions) {
  const staged = db
    .prepare<[string], string>(
      `SELECT passwordHash FROM staging.account WHERE username = ? AND passwordHash LIKE '$%' LIMIT 1`,
    )
    .pluck()
  return {
    async hash(username: string, password: string): Promise<string> {
      for (const known of [staged.get(username), stored.passwordHash(username)]) {
        if (known && (await verify(known, password))) return known
      }
      return hashPassword(password)
    },
  }
}

export type Passwords = ReturnType<typeof createPasswords>
