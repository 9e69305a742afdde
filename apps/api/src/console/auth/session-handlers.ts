import type { HandlerOptions, Handlers } from '../handler.ts'
import { createBrowserSessions } from './browser-session.ts'

type SessionHandlers = Pick<Handlers, 'getSession' | 'signIn' | 'signOut'>

export function createSessionHandlers(options: HandlerOptions): SessionHandlers {
  const { write, cookie, sessions, credentials, recorderOf } = options
  const browserSessions = createBrowserSessions(options)

  return {
    getSession: ({ ctx, owner }) => browserSessions.present(ctx, owner),

    async signIn({ ctx, request }) {
      const account = await credentials.signIn(ctx, request)
      return browserSessions.start(ctx, async () => account)
    },

    async signOut({ ctx, owner }) {
      await write(async (tx) => {
        await sessions.end(tx, owner)
        await recorderOf(owner.account)(tx, { action: 'logout', subject: owner.account.id })
      })
      cookie.clear(ctx)
      return undefined
    },
  }
}
