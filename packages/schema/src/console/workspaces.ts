import * as v from 'valibot'
import type { Shape } from '../constants.ts'
import { type Locale, locales } from '../constants.ts'
import { ShapeSchema } from '../parameters.ts'
import { NameSchema, SlugSchema } from './request-fields.ts'

/** A workspace of the account. */
export interface ConsoleWorkspace {
  slug: string
  name: string
  /** The default of the workspace; `null` means the default of the deployment. */
  shape: Shape | null
  /** The default of the workspace; `null` means the default of the deployment. */
  locale: Locale | null
  created_at: string
}

/** `POST workspaces`. A slug that is taken, by any account, is `{ slug: 'slug_taken' }`. */
export const CreateWorkspaceSchema = v.strictObject({ slug: SlugSchema, name: NameSchema })

/** `PATCH workspaces/:slug`: fields that are left out stay, `null` means the default of the deployment. */
export const UpdateWorkspaceSchema = v.strictObject({
  name: v.exactOptional(NameSchema),
  shape: v.exactOptional(v.nullable(ShapeSchema)),
  locale: v.exactOptional(v.nullable(v.picklist(locales, 'locale'))),
})
