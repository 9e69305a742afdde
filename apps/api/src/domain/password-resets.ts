import { hash, randomBytes } from 'node:crypto'
import { verifyPassword } from '../crypto/password.ts'
import type { AccountModel, Prisma, Transaction } from '../db/prisma.ts'

const digest = (text: string) => hash('sha256', text, 'base64url')

/** Identifies the password of an account: a new one ends its sessions and its reset link, from the console, a command or an import. */
export const passwordFingerprint = ({ passwordHash }: Pick<AccountModel, 'passwordHash'>) =>
  digest(passwordHash ?? '')

/** Stores another hash of the password of an account, which ends neither sessions nor the reset link. */
export async function replaceHash(
  tx: Transaction,
  account: AccountModel,
  { password, passwordHash }: { password: string; passwordHash: string },
): Promise<AccountModel> {
  const { id: accountId, passwordHash: old } = account
  const { count } = await tx.account.updateMany({
    where: { id: accountId, passwordHash: old },
    data: { passwordHash },
  })
  if (count === 0) {
    // Another sign-in replaced it, or there is a new password.
    const current = await tx.account.findUnique({ where: { id: accountId } })
    return current?.passwordHash && (await verifyPassword(current.passwordHash, password)) ? current : account
  }
  const changed = { ...account, passwordHash }
  const where = { accountId, passwordFingerprint: passwordFingerprint(account) }
  const data = { passwordFingerprint: passwordFingerprint(changed) }
  await tx.session.updateMany({ where, data })
  await tx.resetLink.updateMany({ where, data })
  return changed
}

/** A link that still works, and the account whose password it sets. */
export interface ResetLink {
  account: AccountModel
  tokenHash: string
  expiresAt: Date
}

interface PasswordResetsOptions {
  prisma: Prisma
  clock: () => Date
}

/** Links that set a new password once. Only the newest of an account works. */
export function createPasswordResets({ prisma, clock }: PasswordResetsOptions) {
  return {
    /** Replaces the link of an account, and returns the token of the new one. The token is not stored. */
    async create(tx: Transaction, account: AccountModel, expiresAt: Date): Promise<string> {
      const token = randomBytes(32).toString('base64url')
      await tx.resetLink.deleteMany({ where: { accountId: account.id } })
      await tx.resetLink.create({
        data: {
          accountId: account.id,
          tokenHash: digest(token),
          passwordFingerprint: passwordFingerprint(account),
          createdAt: clock(),
          expiresAt,
        },
      })
      return token
    },

    async find(token: string): Promise<ResetLink | undefined> {
      const tokenHash = digest(token)
      const row = await prisma.resetLink.findUnique({
        where: { tokenHash, expiresAt: { gt: clock() } },
        include: { account: true },
      })
      if (!row || row.passwordFingerprint !== passwordFingerprint(row.account)) return undefined
      return { account: row.account, tokenHash, expiresAt: row.expiresAt }
    },

    /** Uses up a link that was found. False if it has been used, replaced or ended by a new password since. */
    async use(tx: Transaction, { account, tokenHash }: ResetLink, passwordHash: string): Promise<boolean> {
      const { id, passwordHash: old } = account
      const { count } = await tx.resetLink.deleteMany({ where: { accountId: id, tokenHash } })
      if (count === 0) return false
      const changed = await tx.account.updateMany({
        where: { id, passwordHash: old },
        data: { passwordHash },
      })
      return changed.count === 1
    },
  }
}
