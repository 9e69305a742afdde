import { hash, randomBytes } from 'node:crypto'
import type { AccountModel, Transaction } from '../../db/prisma.ts'
import { passwordFingerprint } from '../../domain/password-resets.ts'
import type { ConsoleOptions } from '../handler.ts'
import { describeBrowser } from './user-agent.ts'

/** A session ends after this long without a request. */
const idleMs = 12 * 60 * 60 * 1000
/** A session ends after this long in any case. */
const maxAgeMs = 7 * 24 * 60 * 60 * 1000
/** The last request is not stored more often: each write makes every process look at the database. */
const touchEveryMs = 5 * 60 * 1000

/** A signed-in owner. */
export interface SignedIn {
  account: AccountModel
  tokenHash: string
  csrfToken: string
}

const digest = (text: string) => hash('sha256', text, 'base64url')
const later = (date: Date, ms: number) => new Date(date.getTime() + ms)

/** Derived from the session token, which no page can read: only the service can know it. */
const deriveCsrfToken = (token: string) => digest(`csrf ${token}`)

/** The console's sessions. Stored in the database, so that all processes share them and they survive a restart. */
export function createSessions({ database: { prisma, transact }, clock, onError }: ConsoleOptions) {
  const isOver = (now: Date) => ({
    OR: [{ createdAt: { lte: later(now, -maxAgeMs) } }, { lastSeenAt: { lte: later(now, -idleMs) } }],
  })

  const signedIn = (account: AccountModel, token: string): SignedIn => ({
    account,
    tokenHash: digest(token),
    csrfToken: deriveCsrfToken(token),
  })

  /** No request waits for this write. */
  function touch(tokenHash: string, now: Date) {
    transact(
      (tx) => tx.session.updateMany({ where: { tokenHash }, data: { lastSeenAt: now } }),
      tokenHash,
    ).catch(onError)
  }

  return {
    /** Starts a session within a transaction, and deletes those that are over. The token is not stored. */
    async start(
      tx: Transaction,
      account: AccountModel,
      userAgent: string,
    ): Promise<SignedIn & { token: string; endsAt: Date }> {
      const now = clock()
      const token = randomBytes(32).toString('base64url')
      await tx.session.deleteMany({ where: isOver(now) })
      await tx.session.create({
        data: {
          tokenHash: digest(token),
          accountId: account.id,
          passwordFingerprint: passwordFingerprint(account),
          createdAt: now,
          lastSeenAt: now,
          ...describeBrowser(userAgent),
        },
      })
      return { token, endsAt: later(now, maxAgeMs), ...signedIn(account, token) }
    },

    async find(token: string): Promise<SignedIn | undefined> {
      const now = clock()
      const row = await prisma.session.findUnique({
        where: { tokenHash: digest(token), NOT: isOver(now) },
        include: { account: true },
      })
      if (
        !row ||
        row.account.passwordHash === null ||
        row.passwordFingerprint !== passwordFingerprint(row.account)
      )
        return undefined
      if (now.getTime() - row.lastSeenAt.getTime() >= touchEveryMs) touch(row.tokenHash, now)
      return signedIn(row.account, token)
    },

    /** The sessions of an account, last used first. Their ids are no tokens. */
    async list({ account, tokenHash }: SignedIn) {
      const rows = await prisma.session.findMany({
        where: {
          accountId: account.id,
          passwordFingerprint: passwordFingerprint(account),
          NOT: isOver(clock()),
        },
        orderBy: [{ lastSeenAt: 'desc' }, { tokenHash: 'asc' }],
      })
      return rows.map((row) => ({
        ...row,
        id: digest(`id ${row.tokenHash}`),
        isCurrent: row.tokenHash === tokenHash,
      }))
    },

    async end(tx: Transaction, { tokenHash }: Pick<SignedIn, 'tokenHash'>): Promise<void> {
      await tx.session.deleteMany({ where: { tokenHash } })
    },

    /** Ends an account's other sessions, and keeps its own after its password was changed. Returns how many it ended. */
    async endOtherSessions(tx: Transaction, { tokenHash }: SignedIn, account: AccountModel): Promise<number> {
      const { count } = await tx.session.deleteMany({ where: { accountId: account.id, NOT: { tokenHash } } })
      await tx.session.updateMany({
        where: { tokenHash },
        data: { passwordFingerprint: passwordFingerprint(account) },
      })
      return count
    },
  }
}

type Sessions = ReturnType<typeof createSessions>

export type ListedSession = Awaited<ReturnType<Sessions['list']>>[number]
