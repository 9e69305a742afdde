import { type Fields, nowhere } from './fields.ts'

/** An API key in the import format. */
export interface KeyRecord {
  readonly type: 'api_key'
  /** A slug. */
  readonly workspace: string
  readonly key: string
  readonly name?: string
  readonly publishable?: boolean
  /** Ids of the items that a publishable key is bound to. */
  readonly items?: readonly number[]
  readonly expires_at?: string
  readonly revoked_at?: string
  /** The key of the same workspace that this one was created to replace. */
  readonly replaces?: string
}

/** The fields of an API key. Responses of the API show none of them. */
export const keyFields = {
  /** A slug. */
  workspace: { type: 'slug', shown: nowhere },
  name: { type: 'text', shown: nowhere },
  key: { type: 'api_key', shown: nowhere },
  publishable: { type: 'boolean', shown: nowhere, optional: true },
  /** Ids of the items that a publishable key is bound to. */
  items: { type: 'item_ids', shown: nowhere, optional: true },
  expires_at: { type: 'timestamp', shown: nowhere, optional: true },
  revoked_at: { type: 'timestamp', shown: nowhere, optional: true },
  /** The key of the same workspace that this one was created to replace. */
  replaces: { type: 'api_key', shown: nowhere, optional: true },
} as const satisfies Fields
