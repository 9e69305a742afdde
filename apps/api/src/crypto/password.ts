import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

const memoryCost = 19 * 1024
const timeCost = 2

/** What new hashes begin with. */
export const ownParameters = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1`

/** An argon2id hash in the PHC form. */
export const hashPassword = (password: string): Promise<string> =>
  hash(password, { memoryCost, timeCost, parallelism: 1 })

/** Whether a password is the one that a hash was made of. A hash that cannot be read is of none. */
export const verifyPassword = (stored: string, password: string): Promise<boolean> =>
  verify(stored, password).catch(() => false)

/** What a hash begins with: it decides how long a check takes. */
export const hashParameters = (stored: string) => stored.split('$').slice(0, 4).join('$')

const base64 = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '')

/** A hash of no password, which takes as long to check as any other with these parameters. */
export const placeholderHash = (parameters: string) => `${parameters}$${base64(16)}$${base64(32)}`

/** Whether a hash is cheaper to guess than ours. */
export function isWeakHash(stored: string): boolean {
  const [, memory, time] = /\$m=(\d+),t=(\d+)/.exec(stored) ?? []
  return Number(memory) * Number(time) < memoryCost * timeCost
}
