import * as v from 'valibot'
import type { Shape } from '../constants.ts'
import { type Locale, locales } from '../constants.ts'
import { ShapeSchema } from '../parameters.ts'
import { NameSchema, SlugSchema } from './members.ts'

/** A workspace of the account. */
export interface ConsoleWorkspace {
  slug: string
  name: string
  /** Its own default; `null` for the deployment's. */
  shape: Shape | null
  /** Its own default; `null` for the deployment's. */
  locale: Locale | null
  created_at: string
}

/** `POST workspaces`. A slug that is taken, by whomever, is `{ slug: 'slug_taken' }`. */
export const CreateWorkspaceSchema = v.strictObject({ slug: SlugSchema, name: NameSchema })

/** `PATCH workspaces/:slug`: what is left out stays, `null` means the deployment's default. */
export const UpdateWorkspaceSchema = v.strictObject({
  name: v.exactOptional(NameSchema),
  shape: v.exactOptional(v.nullable(ShapeSchema)),
  locale: v.exactOptional(v.nullable(v.picklist(locales, 'locale'))),
})
