import { formatTimestamp } from '@saleproof/schema'
import type { SignedInBrowser } from '@saleproof/schema/console'
import { replaceHash } from '../../domain/password-resets.ts'
import { ConsoleError } from '../console-error.ts'
import type { HandlerOptions, Handlers } from '../handler.ts'
import { createBrowserSessions } from './browser-session.ts'

type SessionHandlers = Pick<
  Handlers,
  'getSession' | 'signIn' | 'signOut' | 'listSessions' | 'endSession' | 'endOtherSessions'
>

type ListedSession = Awaited<ReturnType<HandlerOptions['sessions']['list']>>[number]

const presentBrowser = (session: ListedSession): SignedInBrowser => ({
  id: session.id,
  current: session.isCurrent,
  browser: session.browser,
  platform: session.platform,
  signed_in_at: formatTimestamp(session.createdAt),
  last_used_at: formatTimestamp(session.lastSeenAt),
})

export function createSessionHandlers(options: HandlerOptions): SessionHandlers {
  const { write, cookie, sessions, credentials, recorderOf } = options
  const browserSessions = createBrowserSessions(options)

  return {
    getSession: ({ ctx, owner }) => browserSessions.present(ctx, owner),

    async signIn({ ctx, request }) {
      const account = await credentials.signIn(ctx, request)
      const { password } = request
      const passwordHash = await credentials.rehash(account, password)
      return browserSessions.start(ctx, account.id, async (tx) =>
        passwordHash === undefined ? account : replaceHash(tx, account, { password, passwordHash }),
      )
    },

    async signOut({ ctx, owner }) {
      await write(async (tx) => {
        await sessions.end(tx, owner)
        await recorderOf(owner.account)(tx, { action: 'logout', subject: owner.account.id })
      }, owner.account.id)
      cookie.clear(ctx)
      return undefined
    },

    async listSessions({ owner }) {
      return { sessions: (await sessions.list(owner)).map(presentBrowser) }
    },

    async endSession({ owner, parameters: { id } }) {
      const session = (await sessions.list(owner)).find((each) => each.id === id)
      if (!session) throw new ConsoleError('not_found')
      await write(async (tx) => {
        await sessions.end(tx, session)
        await recorderOf(owner.account)(tx, { action: 'session.ended', subject: owner.account.id })
      }, owner.account.id)
      return undefined
    },

    async endOtherSessions({ owner }) {
      await write(async (tx) => {
        const ended = await sessions.endOtherSessions(tx, owner, owner.account)
        if (ended > 0)
          await recorderOf(owner.account)(tx, { action: 'sessions.ended', subject: owner.account.id })
      }, owner.account.id)
      return undefined
    },
  }
}
