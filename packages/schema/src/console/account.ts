import * as v from 'valibot'
import type { Locale, Shape } from '../constants.ts'
import { OptionalLinkSchema, TextSchema } from '../primitives.ts'
import type { Account } from '../records/account.ts'
import { EmailSchema, PasswordInputSchema, PasswordSchema, SocialLinksSchema } from './members.ts'
import type { ConsoleWorkspace } from './workspaces.ts'

/** The account that is signed in: what the API tells of it, and its id. */
export interface ConsoleAccount extends Account {
  id: string
}

/** What the pages need to know about the service that they are of. */
export interface ConsoleService {
  /** Where callers reach the API, without a slash at its end. */
  public_url: string
  version: string
  /** The defaults of the deployment, for a workspace that has none of its own. */
  shape: Shape
  locale: Locale
}

/** Who is signed in. */
export interface ConsoleSession {
  account: ConsoleAccount
  /** The account's own, by name. */
  workspaces: ConsoleWorkspace[]
  service: ConsoleService
  /** For the header `X-CSRF-Token` of every request that changes or reveals something (every one but `GET`). */
  csrf_token: string
  /** When the session ends if nothing is asked for before; every request moves it on, up to `ends_at`. */
  expires_at: string
  /** When the session ends whatever is done. */
  ends_at: string
}

/** `POST session`: signs in, by username or e-mail address. */
export const SignInSchema = v.strictObject({
  login: v.pipe(v.string('text'), v.trim(), v.nonEmpty('not_empty'), v.maxLength(320, 'too_long')),
  password: v.pipe(PasswordInputSchema, v.nonEmpty('not_empty')),
})

/** `POST password`: sets another password, and ends every other session of the account. */
export const ChangePasswordSchema = v.strictObject({
  current_password: PasswordInputSchema,
  new_password: PasswordSchema,
})

/** `PATCH account`: what is left out stays. */
export const UpdateAccountSchema = v.strictObject({
  /** Needs `current_password`: whoever has the address can sign in with it. */
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
})
