import { formatTimestamp } from '@saleproof/schema'
import type { ResetLink } from '../../domain/password-resets.ts'
import type { RequestContext } from '../../http/state.ts'
import { ConsoleError, invalid } from '../console-error.ts'
import type { HandlerOptions, Handlers } from '../handler.ts'
import { createBrowserSessions } from './browser-session.ts'

type PasswordHandlers = Pick<Handlers, 'changePassword' | 'checkResetLink' | 'resetPassword'>

export function createPasswordHandlers(options: HandlerOptions): PasswordHandlers {
  const { write, sessions, deviceCookie, credentials, passwords, limiter, resets, proxies, recorderOf } =
    options
  const browserSessions = createBrowserSessions(options)

  /** Tokens count like passwords. A token that works does not count. */
  async function findLink(ctx: RequestContext, token: string): Promise<ResetLink> {
    const attempt = { address: proxies.clientAddress(ctx.req) }
    const link = await limiter.attempt(attempt, () => resets.find(token))
    if (!link) throw new ConsoleError('invalid_reset_link')
    return link
  }

  return {
    async changePassword({ ctx, owner, request }) {
      const { account } = owner
      await credentials.confirm(account, request.current_password)
      if (request.new_password === request.current_password) throw invalid('new_password', 'same_password')
      const passwordHash = await passwords.hash(request.new_password, account.id)
      const changed = await write(async (tx) => {
        const changed = await tx.account.update({ where: { id: account.id }, data: { passwordHash } })
        await sessions.endOtherSessions(tx, owner, changed)
        await recorderOf(account)(tx, { action: 'password.changed', subject: account.id })
        return changed
      }, account.id)
      deviceCookie.write(ctx, changed)
      return undefined
    },

    async checkResetLink({ ctx, request }) {
      const { account, expiresAt } = await findLink(ctx, request.token)
      return { username: account.username, expires_at: formatTimestamp(expiresAt) }
    },

    async resetPassword({ ctx, request }) {
      const link = await findLink(ctx, request.token)
      const passwordHash = await passwords.hash(request.new_password, link.account.id)
      return browserSessions.start(ctx, link.account.id, async (tx) => {
        if (!(await resets.use(tx, link, passwordHash))) throw new ConsoleError('invalid_reset_link')
        const account = { ...link.account, passwordHash }
        await tx.session.deleteMany({ where: { accountId: account.id } })
        await recorderOf(account)(tx, { action: 'password.reset', subject: account.id })
        return account
      })
    },
  }
}
