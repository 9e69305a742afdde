import * as v from 'valibot'
import type { PurchaseState } from '../constants.ts'
import { type ActivityAction, activityKindNames, actorKinds } from './constants.ts'
import { body, defineEndpoint } from './define-endpoint.ts'
import type { ConsoleActor } from './purchases.ts'
import { CursorSchema, LimitTextSchema } from './request-fields.ts'

/** Something that was done with a workspace, with the account of its owner, or with the whole service. */
export interface ActivityEntry {
  /** The number of the entry in the audit log. */
  number: number
  at: string
  action: ActivityAction
  by: ConsoleActor
  /** The key that it was done with; `null` where it was with none, or where the key no longer exists. */
  key: { name: string; last_four: string | null } | null
  /** The item that it was done with, and its name while it exists. */
  item: { id: number; name: string | null } | null
  /** The purchase that it was done with, and the state that it got; `null` where the purchase no longer exists. */
  purchase: { purchase_code: string; state: PurchaseState } | null
  /** How many records an import created or changed; `null` where they are not of this workspace alone. */
  imported: { items: number; purchases: number } | null
  /** The file of a shop that was imported, and the profile that it was read by. */
  file: { name: string; profile: string } | null
}

/** A page of the activity log, newest first. */
export interface ConsoleActivity {
  entries: ActivityEntry[]
  next_cursor: string | null
}

export const activityEndpoints = {
  listActivity: defineEndpoint({
    method: 'GET',
    path: '/workspaces/:slug/activity',
    queued: true,
    request: {
      kind: v.exactOptional(v.picklist(activityKindNames, 'activity_kind')),
      by: v.exactOptional(v.picklist(actorKinds, 'actor_kind')),
      cursor: v.exactOptional(CursorSchema),
      /** 50 by default. */
      limit: v.exactOptional(LimitTextSchema),
    },
    response: body<ConsoleActivity>(),
  }),
}
