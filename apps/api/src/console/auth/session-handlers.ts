import { formatTimestamp } from '@saleproof/schema'
import type { ConsoleSession } from '@saleproof/schema/console'
import type { RequestContext } from '../../http/state.ts'
import { invalid } from '../console-error.ts'
import type { HandlerOptions, Handlers } from '../handler.ts'
import { presentOwner, presentWorkspace } from '../profile.ts'
import type { SignedIn } from './sessions.ts'

type SessionHandlers = Pick<Handlers, 'getSession' | 'signIn' | 'signOut' | 'changePassword'>

export function createSessionHandlers(options: HandlerOptions): SessionHandlers {
  const {
    prisma,
    write,
    clock,
    address,
    cookie,
    sessions,
    deviceCookie,
    credentials,
    passwords,
    recorderOf,
  } = options

  async function presentSession(ctx: RequestContext, owner: SignedIn): Promise<ConsoleSession> {
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
    getSession: ({ ctx, owner }) => presentSession(ctx, owner),

    async signIn({ ctx, request }) {
      const account = await credentials.signIn(ctx, request)
      const oldToken = cookie.read(ctx)
      const oldSession = oldToken === undefined ? undefined : await sessions.find(oldToken)
      const session = await write(async (tx) => {
        if (oldSession) await sessions.end(tx, oldSession)
        const started = await sessions.start(tx, account)
        await recorderOf(account)(tx, { action: 'login', subject: account.id })
        return started
      })
      cookie.write(ctx, session.token, session.endsAt, clock())
      deviceCookie.write(ctx, account)
      return presentSession(ctx, session)
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
      deviceCookie.write(ctx, changed)
      return undefined
    },
  }
}
