import * as v from 'valibot'
import type { Locale, Shape } from '../constants.ts'
import { OptionalLinkSchema, TextSchema } from '../primitives.ts'
import type { Account } from '../records/account.ts'
import { body, defineEndpoint } from './define-endpoint.ts'
import { EmailSchema, PasswordInputSchema, PasswordSchema, SocialLinksSchema } from './request-fields.ts'
import type { ConsoleWorkspace } from './workspaces.ts'

/** The signed-in account: what the API shows of it, and its id. */
export interface ConsoleAccount extends Account {
  id: string
}

/** What the pages need to know about their service. */
export interface ConsoleService {
  /** The URL of the API, without a trailing slash. */
  public_url: string
  version: string
  /** The defaults of the deployment, for a workspace without defaults of its own. */
  shape: Shape
  locale: Locale
}

/** A session of the console. */
export interface ConsoleSession {
  account: ConsoleAccount
  /** The workspaces of the account, by name. */
  workspaces: ConsoleWorkspace[]
  service: ConsoleService
  /** The value of the header `X-CSRF-Token`, which every request but `GET` needs. */
  csrf_token: string
}

/** A browser that is signed in to the account. */
export interface SignedInBrowser {
  id: string
  /** Whether it is the one that asks. */
  current: boolean
  /** Such as `Firefox`; `null` where its `User-Agent` names none that is known. */
  browser: string | null
  /** Such as `Windows`; `null` where it is not known. */
  platform: string | null
  signed_in_at: string
  /** Updated every few minutes at most. */
  last_used_at: string
}

/** The browsers that are signed in to the account, last used first. */
export interface ConsoleSessions {
  sessions: SignedInBrowser[]
}

/** A link that sets a new password. */
export interface ConsoleResetLink {
  /** The account whose password it sets. */
  username: string
}

const ResetTokenSchema = v.pipe(v.string('text'), v.maxLength(1024, 'too_long'))

export const accountEndpoints = {
  getSession: defineEndpoint({ method: 'GET', path: '/session', response: body<ConsoleSession>() }),
  /** Signs in by username or e-mail address. */
  signIn: defineEndpoint({
    method: 'POST',
    path: '/session',
    public: true,
    request: {
      login: v.pipe(v.string('text'), v.trim(), v.nonEmpty('not_empty'), v.maxLength(320, 'too_long')),
      password: v.pipe(PasswordInputSchema, v.nonEmpty('not_empty')),
    },
    response: body<ConsoleSession>(),
    activity: ['login'],
  }),
  signOut: defineEndpoint({ method: 'DELETE', path: '/session', activity: ['logout'] }),
  listSessions: defineEndpoint({ method: 'GET', path: '/sessions', response: body<ConsoleSessions>() }),
  endSession: defineEndpoint({ method: 'DELETE', path: '/sessions/:id', activity: ['session.ended'] }),
  endOtherSessions: defineEndpoint({ method: 'DELETE', path: '/sessions', activity: ['sessions.ended'] }),
  /** Changes the password and ends every other session of the account. */
  changePassword: defineEndpoint({
    method: 'POST',
    path: '/password',
    request: { current_password: PasswordInputSchema, new_password: PasswordSchema },
    activity: ['password.changed'],
  }),
  /** Finds the link with this token, without using it. */
  checkResetLink: defineEndpoint({
    method: 'POST',
    path: '/password-reset/check',
    public: true,
    request: { token: ResetTokenSchema },
    response: body<ConsoleResetLink>(),
  }),
  /** Sets a new password, ends every session of the account, and signs in. */
  resetPassword: defineEndpoint({
    method: 'POST',
    path: '/password-reset',
    public: true,
    request: { token: ResetTokenSchema, new_password: PasswordSchema },
    response: body<ConsoleSession>(),
    activity: ['password.reset', 'login'],
  }),
  /** Fields that are left out stay as they are. */
  updateAccount: defineEndpoint({
    method: 'PATCH',
    path: '/account',
    request: {
      /** Needs `current_password`, because the address is a login name. */
      email: v.exactOptional(v.pipe(EmailSchema, v.nonEmpty('email'), v.maxLength(320, 'too_long'))),
      current_password: v.exactOptional(PasswordInputSchema),
      name: v.exactOptional(
        v.strictObject({ firstname: TextSchema, lastname: TextSchema, full_name: TextSchema }),
      ),
      profile: v.exactOptional(
        v.strictObject({
          heading: TextSchema,
          description: TextSchema,
          contact: v.strictObject({ email: EmailSchema }),
          social_links: SocialLinksSchema,
          media: v.strictObject({ avatar: OptionalLinkSchema, cover: OptionalLinkSchema }),
        }),
      ),
    },
    response: body<ConsoleAccount>(),
    activity: ['account.changed'],
  }),
}
