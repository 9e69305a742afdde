import { hash, randomBytes } from 'node:crypto'
import type { AccountModel, Prisma } from '../../db/sqlite/prisma.ts'
import type { Transaction, Write } from '../../db/transaction.ts'

/** A session that nothing is asked for in so long is over. */
const idleMs = 12 * 60 * 60 * 1000
/** Whatever is asked for, a session is over after this. */
const longestMs = 7 * 24 * 60 * 60 * 1000
/** Seen again within this is not written down: each write costs every process a look at the database. */
const noteEveryMs = 5 * 60 * 1000

/** An owner who is signed in. */
export interface SignedIn {
  account: AccountModel
  tokenHash: string
  csrfToken: string
  /** If nothing is asked for before. */
  expiresAt: Date
  endsAt: Date
}

/** Who has just signed in, and the token that only the browser keeps. */
export interface Begun extends SignedIn {
  token: string
}

interface SessionsOptions {
  prisma: Prisma
  write: Write
  clock: () => Date
  /** Told of a write that failed and that nobody waits for. */
  onError: (error: unknown) => void
}

const digest = (text: string) => hash('sha256', text, 'base64url')
const later = (date: Date, ms: number) => new Date(date.getTime() + ms)

/** Another password ends a session, whoever set it: the console, a command or an import. */
const macOf = ({ passwordHash }: Pick<AccountModel, 'passwordHash'>) => digest(passwordHash ?? '')

/** Made of the token, which no page can read: whoever knows it was told by the service. */
const csrfTokenOf = (token: string) => digest(`csrf ${token}`)

/** Who is signed in to the console. Kept in the database, so that every process knows, and a restart ends nothing. */
export function createSessions({ prisma, write, clock, onError }: SessionsOptions) {
  const overdue = (now: Date) => ({
    OR: [{ createdAt: { lte: later(now, -longestMs) } }, { lastSeenAt: { lte: later(now, -idleMs) } }],
  })

  function signedIn(account: AccountModel, token: string, createdAt: Date, now: Date): SignedIn {
    const endsAt = later(createdAt, longestMs)
    const idle = later(now, idleMs)
    return {
      account,
      tokenHash: digest(token),
      csrfToken: csrfTokenOf(token),
      expiresAt: new Date(Math.min(idle.getTime(), endsAt.getTime())),
      endsAt,
    }
  }

  function note(tokenHash: string, now: Date) {
    write((tx) => tx.session.updateMany({ where: { tokenHash }, data: { lastSeenAt: now } })).catch(onError)
  }

  return {
    /** Begins a session within a transaction, and clears away those that are over. */
    async begin(tx: Transaction, account: AccountModel): Promise<Begun> {
      const now = clock()
      const token = randomBytes(32).toString('base64url')
      await tx.session.deleteMany({ where: overdue(now) })
      await tx.session.create({
        data: {
          tokenHash: digest(token),
          accountId: account.id,
          passwordMark: macOf(account),
          createdAt: now,
          lastSeenAt: now,
        },
      })
      return { token, ...signedIn(account, token, now, now) }
    },

    /** Who has this token; undefined where nobody has, or no longer. */
    async find(token: string): Promise<SignedIn | undefined> {
      const now = clock()
      const row = await prisma.session.findUnique({
        where: { tokenHash: digest(token), NOT: overdue(now) },
        include: { account: true },
      })
      if (!row || row.account.passwordHash === null || row.passwordMark !== macOf(row.account))
        return undefined
      if (now.getTime() - row.lastSeenAt.getTime() >= noteEveryMs) note(row.tokenHash, now)
      return signedIn(row.account, token, row.createdAt, now)
    },

    async end(tx: Transaction, { tokenHash }: Pick<SignedIn, 'tokenHash'>): Promise<void> {
      await tx.session.deleteMany({ where: { tokenHash } })
    },

    /** Ends every other session of an account whose password was changed. */
    async endOtherSessions(tx: Transaction, { tokenHash }: SignedIn, account: AccountModel): Promise<void> {
      await tx.session.deleteMany({ where: { accountId: account.id, NOT: { tokenHash } } })
      await tx.session.updateMany({ where: { tokenHash }, data: { passwordMark: macOf(account) } })
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>
