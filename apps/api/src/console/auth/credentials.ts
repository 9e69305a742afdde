import { appendAudit } from '../../audit/append.ts'
import type { AccountModel } from '../../db/prisma.ts'
import type { RequestContext } from '../../http/state.ts'
import { ConsoleError } from '../console-error.ts'
import type { ConsoleOptions } from '../handler.ts'
import type { DeviceCookie } from './device-cookie.ts'
import type { PasswordCheck } from './password-check.ts'
import type { Attempt, SignInLimiter } from './sign-in-limiter.ts'

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
  const recordFailure = (account: AccountModel | null) =>
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

  async function attemptOf(ctx: RequestContext, login: string): Promise<Attempt> {
    const device = await deviceCookie.read(ctx, () => findAccount(login))
    return device === undefined ? { address: proxies.clientAddress(ctx.req), subject: login } : { device }
  }

  return {
    async signIn(ctx: RequestContext, { login, password }: { login: string; password: string }) {
      let found: AccountModel | null = null
      const account = await limiter.attempt(await attemptOf(ctx, login), async () => {
        found = await findAccount(login)
        return ((await passwords.matches(found?.passwordHash, password)) && found) || undefined
      })
      if (account) return account
      // Not within the attempt: a wrong password counts although it cannot be recorded.
      await recordFailure(found)
      throw new ConsoleError('wrong_credentials')
    },

    /** Asks for the password again: another person may use a browser that was left open. */
    async confirm(ctx: RequestContext, account: AccountModel, password: string): Promise<void> {
      const attempt = { address: proxies.clientAddress(ctx.req), subject: account.id }
      const confirmed = await limiter.attempt(
        attempt,
        async () => (await passwords.matches(account.passwordHash, password)) || undefined,
      )
      if (confirmed) return
      await recordFailure(account)
      throw new ConsoleError('wrong_password')
    },
  }
}

export type Credentials = ReturnType<typeof createCredentials>
