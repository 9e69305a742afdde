import { formatTimestamp } from '@saleproof/schema'
import type { ConsoleSession, SignedInBrowser } from '@saleproof/schema/console'
import type { AccountModel, Transaction } from '../../db/prisma.ts'
import { createRecorder } from '../../domain/audit-log.ts'
import { type ResetLink, replaceHash } from '../../domain/password-resets.ts'
import type { RequestContext } from '../../http/state.ts'
import { ConsoleError, invalid } from '../console-error.ts'
import type { HandlerOptions, Handlers } from '../handler.ts'
import { consoleActor } from '../names.ts'
import { presentOwner, presentWorkspace } from '../profile.ts'
import type { ListedSession, SignedIn } from './sessions.ts'

const presentBrowser = (session: ListedSession): SignedInBrowser => ({
  id: session.id,
  current: session.isCurrent,
  browser: session.browser,
  platform: session.platform,
  signed_in_at: formatTimestamp(session.createdAt),
  last_used_at: formatTimestamp(session.lastSeenAt),
})

/** Sessions and passwords. */
export function createAuthHandlers({ database, clock, address, proxies, service, auth }: HandlerOptions) {
  const { prisma, transact } = database
  const { cookie, sessions, deviceCookie, credentials, passwords, limiter, resets } = auth
  const createAccountRecorder = (id: string) => createRecorder({ clock, actor: consoleActor(id) })

  async function presentSession(ctx: RequestContext, owner: SignedIn): Promise<ConsoleSession> {
    const workspaces = await prisma.workspace.findMany({
      where: { accountId: owner.account.id },
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
    })
    return {
      account: presentOwner(owner.account),
      workspaces: workspaces.map(presentWorkspace),
      service: { public_url: address.of(ctx.req), ...service },
      csrf_token: owner.csrfToken,
    }
  }

  /** Signs a browser in to the account that `prepare` returns, in place of the session that it had. */
  async function startSession(
    ctx: RequestContext,
    { id }: AccountModel,
    prepare: (tx: Transaction) => Promise<AccountModel>,
  ) {
    const oldToken = cookie.read(ctx)
    const oldSession = oldToken === undefined ? undefined : await sessions.find(oldToken)
    const session = await transact(async (tx) => {
      const account = await prepare(tx)
      if (oldSession) await sessions.end(tx, oldSession)
      const started = await sessions.start(tx, account, ctx.get('user-agent'))
      await createAccountRecorder(id)(tx, { action: 'login', subject: id })
      return started
    }, id)
    cookie.write(ctx, session.token, session.endsAt.getTime() - clock().getTime())
    deviceCookie.write(ctx, session.account)
    return presentSession(ctx, session)
  }

  /** Tokens count like passwords. A token that works does not count. */
  async function findLink(ctx: RequestContext, token: string): Promise<ResetLink> {
    const attempt = { address: proxies.clientAddress(ctx.req) }
    const link = await limiter.attempt(attempt, () => resets.find(token))
    if (!link) throw new ConsoleError('invalid_reset_link')
    return link
  }

  return {
    getSession: ({ ctx, owner }) => presentSession(ctx, owner),

    async signIn({ ctx, request }) {
      const account = await credentials.signIn(ctx, request)
      const { password } = request
      const passwordHash = await credentials.rehash(account, password)
      return startSession(ctx, account, async (tx) =>
        passwordHash === undefined ? account : replaceHash(tx, account, { password, passwordHash }),
      )
    },

    async signOut({ ctx, owner, record }) {
      await transact(async (tx) => {
        await sessions.end(tx, owner)
        await record(tx, { action: 'logout', subject: owner.account.id })
      }, owner.account.id)
      cookie.write(ctx, '', 0)
      return undefined
    },

    listSessions: async ({ owner }) => ({ sessions: (await sessions.list(owner)).map(presentBrowser) }),

    async endSession({ owner, record, parameters: { id } }) {
      const session = (await sessions.list(owner)).find((each) => each.id === id)
      if (!session) throw new ConsoleError('not_found')
      await transact(async (tx) => {
        await sessions.end(tx, session)
        await record(tx, { action: 'session.ended', subject: owner.account.id })
      }, owner.account.id)
      return undefined
    },

    async endOtherSessions({ owner, record }) {
      await transact(async (tx) => {
        const ended = await sessions.endOtherSessions(tx, owner, owner.account)
        if (ended > 0) await record(tx, { action: 'sessions.ended', subject: owner.account.id })
      }, owner.account.id)
      return undefined
    },

    async changePassword({ ctx, owner, record, request }) {
      const { account } = owner
      await credentials.confirm(account, request.current_password)
      if (request.new_password === request.current_password) throw invalid('new_password', 'same_password')
      const passwordHash = await passwords.hash(request.new_password, account.id)
      const changed = await transact(async (tx) => {
        const changed = await tx.account.update({ where: { id: account.id }, data: { passwordHash } })
        await sessions.endOtherSessions(tx, owner, changed)
        await record(tx, { action: 'password.changed', subject: account.id })
        return changed
      }, account.id)
      deviceCookie.write(ctx, changed)
      return undefined
    },

    async checkResetLink({ ctx, request }) {
      const { account } = await findLink(ctx, request.token)
      return { username: account.username }
    },

    async resetPassword({ ctx, request }) {
      const link = await findLink(ctx, request.token)
      const { id } = link.account
      const passwordHash = await passwords.hash(request.new_password, id)
      return startSession(ctx, link.account, async (tx) => {
        if (!(await resets.use(tx, link, passwordHash))) throw new ConsoleError('invalid_reset_link')
        await tx.session.deleteMany({ where: { accountId: id } })
        await createAccountRecorder(id)(tx, { action: 'password.reset', subject: id })
        return { ...link.account, passwordHash }
      })
    },
  } satisfies Partial<Handlers>
}
