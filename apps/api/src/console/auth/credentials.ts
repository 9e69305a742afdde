import { isWeakHash } from '../../crypto/password.ts'
import type { AccountModel, Transaction } from '../../db/prisma.ts'
import { appendAudit } from '../../domain/audit-log.ts'
import type { RequestContext } from '../../http/state.ts'
import { ConsoleError } from '../console-error.ts'
import type { ConsoleOptions } from '../handler.ts'
import { consoleActor } from '../names.ts'
import type { DeviceCookie } from './device-cookie.ts'
import type { PasswordCheck } from './password-check.ts'
import type { SignInLimiter } from './sign-in-limiter.ts'

interface Checks {
  limiter: SignInLimiter
  passwords: PasswordCheck
  deviceCookie: DeviceCookie
}

/** Wrong passwords of a name are recorded no more often. */
const recordEveryMs = 60 * 60 * 1000

/** Checks usernames and passwords. */
export function createCredentials(
  { database: { prisma, transact }, clock, proxies, onError }: ConsoleOptions,
  { limiter, passwords, deviceCookie }: Checks,
) {
  /** An e-mail address that several accounts share signs in to none of them. */
  async function findByEmail(email: string): Promise<AccountModel | null> {
    // SQLite's `lower` handles ASCII only. Applied to both sides, it always finds an address as it is stored.
    const [found, other] = await prisma.$queryRaw<{ id: string }[]>`
      SELECT "id" FROM "Account" WHERE lower("email") = lower(${email}) LIMIT 2`
    return found && !other ? prisma.account.findUnique({ where: { id: found.id } }) : null
  }

  /** Always runs both queries, so that the time does not reveal which one matched. */
  async function findAccount(login: string): Promise<AccountModel | null> {
    const byUsername = await prisma.account.findUnique({ where: { username: login } })
    const byEmail = await findByEmail(login)
    return byUsername ?? byEmail
  }

  /** Accounts whose failure is being written. */
  const recording = new Set<string>()

  const wasRecorded = async (tx: Transaction, failure: { actor: string; subject: string | null }) => {
    const last = await tx.auditEntry.findFirst({
      where: { action: 'login.failed', workspaceId: null, ...failure },
      orderBy: { number: 'desc' },
      select: { at: true },
    })
    return last !== null && Math.abs(clock().getTime() - last.at.getTime()) < recordEveryMs
  }

  /** The response does not wait for it: its time would reveal which accounts exist. */
  function recordFailure(account: Pick<AccountModel, 'id'> | null) {
    const actor = consoleActor(account?.id ?? 'unknown')
    const subject = account?.id ?? null
    if (recording.has(actor)) return
    recording.add(actor)
    transact(async (tx) => {
      if (await wasRecorded(tx, { actor, subject })) return
      await appendAudit(tx, { at: clock(), action: 'login.failed', actor, subject: account?.id })
    }, account?.id ?? actor)
      .catch(onError)
      .finally(() => recording.delete(actor))
  }

  return {
    async signIn(ctx: RequestContext, { login, password }: { login: string; password: string }) {
      let found: AccountModel | null = null
      const device = await deviceCookie.read(ctx, () => findAccount(login))
      const attempt = device === undefined ? { address: proxies.clientAddress(ctx.req), login } : { device }
      const account = await limiter.attempt(attempt, async () => {
        found = await findAccount(login)
        const accountId = device === undefined ? undefined : found?.id
        return ((await passwords.matches(found?.passwordHash, password, accountId)) && found) || undefined
      })
      if (account) return account
      recordFailure(found)
      throw new ConsoleError('wrong_credentials')
    },

    /** A hash with our parameters in place of one that is cheaper to guess. */
    rehash: async ({ id, passwordHash }: AccountModel, password: string): Promise<string | undefined> =>
      passwordHash !== null && isWeakHash(passwordHash) ? passwords.hash(password, id) : undefined,

    /** Asks for the password again: another person may use a browser that was left open. */
    async confirm({ id, passwordHash }: AccountModel, password: string): Promise<void> {
      const matches = () => passwords.matches(passwordHash, password, id)
      if (await limiter.attempt({ owner: id }, async () => (await matches()) || undefined)) return
      recordFailure({ id })
      throw new ConsoleError('wrong_password')
    },
  }
}
