import { formatTimestamp, type Locale, type Shape } from '@saleproof/schema'
import type { ConsoleSession } from '@saleproof/schema/console'
import type { Recorder } from '../../audit/append.ts'
import type { AccountModel, Prisma } from '../../db/sqlite/prisma.ts'
import type { Write } from '../../db/transaction.ts'
import { createProfiles } from '../../domain/profiles.ts'
import type { PublicAddress } from '../../http/public-address.ts'
import type { RequestContext } from '../../http/state.ts'
import { invalid } from '../console-error.ts'
import type { Handlers } from '../handler.ts'
import { presentOwner, presentWorkspace } from '../present.ts'
import type { Credentials } from './credentials.ts'
import type { Devices } from './device-cookie.ts'
import type { PasswordCheck } from './password-check.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { Sessions, SignedIn } from './sessions.ts'

export interface SessionHandlersOptions {
  prisma: Prisma
  write: Write
  clock: () => Date
  address: PublicAddress
  cookie: SessionCookie
  sessions: Sessions
  devices: Devices
  credentials: Credentials
  passwords: PasswordCheck
  /** Records what an owner does. */
  recorderOf: (account: Pick<AccountModel, 'id'>) => Recorder
  service: { version: string; shape: Shape; locale: Locale }
}

type SessionHandlers = Pick<
  Handlers,
  'getSession' | 'signIn' | 'signOut' | 'changePassword' | 'getAccount' | 'updateAccount'
>

/** Who is signed in, and what they may change of themselves. */
export function createSessionHandlers(options: SessionHandlersOptions): SessionHandlers {
  const { prisma, write, clock, address, cookie, sessions, devices, credentials, passwords, recorderOf } =
    options

  async function present(ctx: RequestContext, owner: SignedIn): Promise<ConsoleSession> {
    const workspaces = await prisma.workspace.findMany({
      where: { accountId: owner.account.id },
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
    })
    return {
      account: presentOwner(owner.account),
      workspaces: workspaces.map(presentWorkspace),
      service: { public_url: address.of(ctx.req), ...options.service },
      csrf_token: owner.csrfToken,
      expires_at: formatTimestamp(owner.expiresAt),
      ends_at: formatTimestamp(owner.endsAt),
    }
  }

  return {
    getSession: ({ ctx, owner }) => present(ctx, owner),

    async signIn({ ctx, request }) {
      const account = await credentials.signIn(ctx, request)
      const token = cookie.read(ctx)
      const before = token === undefined ? undefined : await sessions.find(token)
      const begun = await write(async (tx) => {
        if (before) await sessions.end(tx, before)
        const session = await sessions.begin(tx, account)
        await recorderOf(account)(tx, { action: 'login', subject: account.id })
        return session
      })
      cookie.write(ctx, begun.token, begun.endsAt, clock())
      devices.remember(ctx, account)
      return present(ctx, begun)
    },

    async signOut({ ctx, owner }) {
      await write(async (tx) => {
        await sessions.end(tx, owner)
        await recorderOf(owner.account)(tx, { action: 'logout', subject: owner.account.id })
      })
      cookie.clear(ctx)
      return undefined
    },

    async changePassword({ ctx, owner, request }) {
      const { account } = owner
      await credentials.confirm(ctx, account, request.current_password)
      if (request.new_password === request.current_password) throw invalid('new_password', 'same_password')
      const passwordHash = await passwords.hash(request.new_password)
      const changed = await write(async (tx) => {
        const changed = await tx.account.update({ where: { id: account.id }, data: { passwordHash } })
        await sessions.endOtherSessions(tx, owner, changed)
        await recorderOf(account)(tx, { action: 'password.changed', subject: account.id })
        return changed
      })
      devices.remember(ctx, changed)
      return undefined
    },

    async getAccount({ owner }) {
      return presentOwner(owner.account)
    },

    async updateAccount({ ctx, owner, request }) {
      const { current_password: password, ...change } = request
      if (change.email !== undefined && change.email !== owner.account.email) {
        if (password === undefined) throw invalid('current_password', 'required')
        await credentials.confirm(ctx, owner.account, password)
      }
      const profiles = createProfiles({ write, record: recorderOf(owner.account) })
      return presentOwner(await profiles.update(owner.account.id, change))
    },
  }
}
