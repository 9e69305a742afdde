import * as v from 'valibot'
import { ItemIdSchema } from '../primitives.ts'
import type { OperationName } from '../routes.ts'
import { type KeyKind, type KeyState, keyKinds } from './constants.ts'
import { body, defineEndpoint } from './define-endpoint.ts'
import { DateTimeSchema, NameSchema, PasswordInputSchema, RequestIdSchema } from './request-fields.ts'

/** A key, without the key itself. */
export interface ConsoleKey {
  id: string
  name: string
  /** The last four characters of the key, to tell keys of one name apart; `null` where the key is shorter than 20 characters. */
  last_four: string | null
  kind: KeyKind
  state: KeyState
  created_at: string
  expires_at: string | null
  /** The id of the key that this one replaces, where it was created by a rotation. */
  replaces: string | null
  /** The items whose purchases a publishable key validates; an empty list means all items of the workspace. */
  items: number[]
  /** Updated every few minutes at most. */
  last_used_at: string | null
  last_used_by: LastUsedBy | null
  /** From how many addresses a secret key was used in the last 24 hours, at least; 0 for a publishable key. */
  address_count: number
}

/** A secret key that works and is used from `manyAddresses` addresses or more. */
export type ExposedKey = Pick<ConsoleKey, 'id' | 'name' | 'last_four' | 'address_count'>

/** The last use of a key. */
export interface LastUsedBy {
  operation: OperationName
  /** The program, as the first word of its `User-Agent` names it, such as `curl/8.5.0`; `""` where it has none. */
  client: string
}

/** The keys of a workspace, newest first. */
export interface ConsoleKeys {
  keys: ConsoleKey[]
}

/** A new key, with the key itself. */
export interface CreatedKey extends ConsoleKey {
  api_key: string
}

/** The successor of a key, with the key itself. */
export interface RotatedKey extends CreatedKey {
  /** The key that it replaces, with its end. */
  replaced: ConsoleKey
}

/** The key itself. */
export interface RevealedKey {
  api_key: string
}

export const keyEndpoints = {
  listKeys: defineEndpoint({ method: 'GET', path: '/workspaces/:slug/keys', response: body<ConsoleKeys>() }),
  createKey: defineEndpoint({
    method: 'POST',
    path: '/workspaces/:slug/keys',
    request: {
      /** Not the name of a key that works (`name_taken`). */
      name: NameSchema,
      kind: v.picklist(keyKinds, 'key_kind'),
      expires_at: v.exactOptional(v.nullable(DateTimeSchema)),
      /** Only for a publishable key, and only items of this workspace. */
      items: v.exactOptional(v.pipe(v.array(ItemIdSchema, 'list'), v.maxLength(1000, 'too_long'))),
      request_id: v.exactOptional(RequestIdSchema),
    },
    response: body<CreatedKey>(),
    activity: ['key.created'],
  }),
  showKey: defineEndpoint({
    method: 'POST',
    path: '/workspaces/:slug/keys/:id/show',
    request: { password: PasswordInputSchema },
    response: body<RevealedKey>(),
    activity: ['key.shown'],
  }),
  /** Creates a key with the same name, kind, items and lifetime. */
  rotateKey: defineEndpoint({
    method: 'POST',
    path: '/workspaces/:slug/keys/:id/rotate',
    request: {
      /** When the old key stops working, unless it expires earlier; `null` is at once. */
      ends_at: v.nullable(DateTimeSchema),
      request_id: v.exactOptional(RequestIdSchema),
    },
    response: body<RotatedKey>(),
    activity: ['key.created', 'key.rotated'],
  }),
  revokeKey: defineEndpoint({
    method: 'POST',
    path: '/workspaces/:slug/keys/:id/revoke',
    response: body<ConsoleKey>(),
    activity: ['key.revoked'],
  }),
}
