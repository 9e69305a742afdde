import { appendAudit } from '../../audit/append.ts'
import type { AccountModel } from '../../db/prisma.ts'
import type { RequestContext } from '../../http/state.ts'
import { ConsoleError } from '../console-error.ts'
import type { ConsoleOptions } from '../handler.ts'
import type { DeviceCookie } from './device-cookie.ts'
import type { PasswordCheck } from './password-check.ts'
import type { SignInLimiter } from './sign-in-limiter.ts'

interface CredentialsOptions
  extends Pick<ConsoleOptions, 'prisma' | 'write' | 'vault' | 'clock' | 'proxies'> {
  limiter: SignInLimiter
  passwords: PasswordCheck
  deviceCookie: DeviceCookie
}

/** Checks usernames and passwords. */
export function createCredentials(options: CredentialsOptions) {
  const { prisma, write, vault, clock, proxies, limiter, passwords, deviceCookie } = options

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

  /** Also written for an unknown account: otherwise the time would reveal which accounts exist. */
  const recordFailure = (account: Pick<AccountModel, 'id'> | null) =>
    write((tx) =>
      appendAudit(
        tx,
        {
          at: clock(),
          action: 'login.failed',
          actor: `console:${account?.id ?? 'unknown'}`,
          subject: account?.id,
        },
        vault,
      ),
    )

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
      // Not within the attempt: a wrong password counts although it cannot be recorded.
      await recordFailure(found)
      throw new ConsoleError('wrong_credentials')
    },

    /** Asks for the password again: another person may use a browser that was left open. */
    async confirm({ id, passwordHash }: AccountModel, password: string): Promise<void> {
      const matches = () => passwords.matches(passwordHash, password, id)
      if (await limiter.attempt({ owner: id }, async () => (await matches()) || undefined)) return
      await recordFailure({ id })
      throw new ConsoleError('wrong_password')
    },
  }
}

export type Credentials = ReturnType<typeof createCredentials>
