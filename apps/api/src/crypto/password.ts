import { hash, verify } from '@node-rs/argon2'

const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/** An argon2id hash in the PHC form. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost)

/** Whether a password is the one that a hash was made of. A hash that cannot be read is of none. */
export const verifyPassword = (stored: string, password: string): Promise<boolean> =>
  verify(stored, password).catch(() => false)
