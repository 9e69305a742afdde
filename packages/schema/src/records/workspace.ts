import type { Locale, Shape } from '../constants.ts'
import { type Fields, nowhere } from './fields.ts'

/** A workspace in the import format. */
export interface WorkspaceRecord {
  readonly type: 'workspace'
  readonly slug: string
  readonly name: string
  /** A username. */
  readonly owner: string
  readonly shape?: Shape
  readonly locale?: Locale
}

/** The fields of a workspace. Responses of the API show none of them. */
export const workspaceFields = {
  slug: { type: 'slug', shown: nowhere },
  name: { type: 'text', shown: nowhere },
  /** A username. */
  owner: { type: 'username', shown: nowhere },
  shape: { type: 'shape', shown: nowhere, optional: true },
  locale: { type: 'locale', shown: nowhere, optional: true },
} as const satisfies Fields
