import { appendAudit } from '../../audit/append.ts'
import type { KeyVault } from '../../crypto/key-vault.ts'
import type { AccountModel, Prisma } from '../../db/sqlite/prisma.ts'
import type { Write } from '../../db/transaction.ts'
import type { Proxies } from '../../http/proxies.ts'
import type { RequestContext } from '../../http/state.ts'
import { ConsoleFailure } from '../console-error.ts'
import type { Devices } from './device-cookie.ts'
import type { PasswordCheck } from './password-check.ts'
import type { Attempt, Attempts } from './sign-in-limiter.ts'

interface CredentialsOptions {
  prisma: Prisma
  write: Write
  vault: KeyVault
  clock: () => Date
  proxies: Proxies
  attempts: Attempts
  passwords: PasswordCheck
  devices: Devices
}

/** Who somebody is, by name and password. */
export function createCredentials(options: CredentialsOptions) {
  const { prisma, write, vault, clock, proxies, attempts, passwords, devices } = options

  /** An address that several accounts have is the name of none. */
  async function byEmail(email: string): Promise<AccountModel | null> {
    // SQLite's `lower` knows ASCII alone: it is asked of both sides, so that an address is always found as it is stored.
    const found = await prisma.$queryRaw<{ id: string }[]>`
      SELECT "id" FROM "Account" WHERE lower("email") = lower(${email}) LIMIT 2`
    return found.length === 1 ? prisma.account.findUnique({ where: { id: found[0]!.id } }) : null
  }

  /** Always asks for both, so that the time says nothing about which there is. */
  async function accountOf(login: string): Promise<AccountModel | null> {
    const named = await prisma.account.findUnique({ where: { username: login } })
    const addressed = await byEmail(login)
    return named ?? addressed
  }

  /** A failure of somebody unknown is recorded as well: what is written for one of the two alone could be timed. */
  const recordFailure = (account: AccountModel | null) =>
    write((tx) =>
      appendAudit(
        tx,
        {
          ...{ at: clock(), action: 'login.failed' },
          actor: `console:${account?.id ?? 'unknown'}`,
          subject: account?.id,
        },
        vault,
      ),
    )

  async function trierOf(ctx: RequestContext, login: string): Promise<Attempt> {
    const device = await devices.find(ctx, () => accountOf(login))
    return device === undefined ? { address: proxies.clientAddress(ctx.req), subject: login } : { device }
  }

  return {
    /** The account of a name and a password. */
    async signIn(ctx: RequestContext, { login, password }: { login: string; password: string }) {
      const found = await attempts.attempt(await trierOf(ctx, login), async () => {
        const account = await accountOf(login)
        if ((await passwords.matches(account?.passwordHash, password)) && account) return account
        await recordFailure(account)
        return undefined
      })
      if (!found) throw new ConsoleFailure('wrong_credentials')
      return found
    },

    /** Asks who is signed in for the password once more: a browser that was left open is not its owner. */
    async confirm(ctx: RequestContext, account: AccountModel, password: string): Promise<void> {
      const found = await attempts.attempt(
        { address: proxies.clientAddress(ctx.req), subject: account.id },
        async () => {
          if (await passwords.matches(account.passwordHash, password)) return true
          await recordFailure(account)
          return undefined
        },
      )
      if (!found) throw new ConsoleFailure('wrong_password')
    },
  }
}

export type Credentials = ReturnType<typeof createCredentials>
