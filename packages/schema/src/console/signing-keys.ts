import * as v from 'valibot'
import { TextSchema } from '../primitives.ts'
import { body, defineEndpoint } from './define-endpoint.ts'

/** A key that signs passes. */
export interface ConsoleSigningKey {
  /** The `kid` of a pass. */
  id: string
  /** What programs verify passes with: 32 bytes, base64url. */
  public_key: string
  created_at: string
  retired_at: string | null
  /** How many passes it signed in the last 30 days: for programs that know no newer key. */
  passes: number
}

/** The signing keys of a workspace, newest first. */
export interface ConsoleSigningKeys {
  signing_keys: ConsoleSigningKey[]
}

export const signingKeyEndpoints = {
  listSigningKeys: defineEndpoint({
    method: 'GET',
    path: '/workspaces/:slug/signing-keys',
    queued: true,
    response: body<ConsoleSigningKeys>(),
  }),
  /** Makes a newer key. Those before go on signing for programs that do not know it. */
  rotateSigningKey: defineEndpoint({
    method: 'POST',
    path: '/workspaces/:slug/signing-keys',
    request: {
      /** The id of the newest key that the owner saw. Where it has a newer one by now, as after a request whose response was lost, none is made. */
      newest: v.exactOptional(TextSchema),
    },
    response: body<ConsoleSigningKeys>(),
    activity: ['signing_key.created'],
  }),
  /** Ends a key: programs that know no other accept no code. */
  retireSigningKey: defineEndpoint({
    method: 'POST',
    path: '/workspaces/:slug/signing-keys/:id/retire',
    response: body<ConsoleSigningKeys>(),
    activity: ['signing_key.retired'],
  }),
}
