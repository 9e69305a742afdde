import { formatTimestamp } from '@saleproof/schema'
import type { ConsoleSession } from '@saleproof/schema/console'
import type { AccountModel, Transaction } from '../../db/prisma.ts'
import type { RequestContext } from '../../http/state.ts'
import type { HandlerOptions } from '../handler.ts'
import { presentOwner, presentWorkspace } from '../profile.ts'
import type { SignedIn } from './sessions.ts'

/** Sessions as the browser sees them: a response and cookies. */
export function createBrowserSessions(options: HandlerOptions) {
  const { prisma, write, clock, address, cookie, sessions, deviceCookie, recorderOf } = options

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
    present,

    /** Signs a browser in to the account that `prepare` returns, in place of the session that it had. */
    async start(ctx: RequestContext, accountId: string, prepare: (tx: Transaction) => Promise<AccountModel>) {
      const oldToken = cookie.read(ctx)
      const oldSession = oldToken === undefined ? undefined : await sessions.find(oldToken)
      const session = await write(async (tx) => {
        const account = await prepare(tx)
        if (oldSession) await sessions.end(tx, oldSession)
        const started = await sessions.start(tx, account, ctx.get('user-agent'))
        await recorderOf(account)(tx, { action: 'login', subject: account.id })
        return started
      }, accountId)
      cookie.write(ctx, session.token, session.endsAt, clock())
      deviceCookie.write(ctx, session.account)
      return present(ctx, session)
    },
  }
}
