import * as v from 'valibot'
import { type Locale, locales, type Shape } from '../constants.ts'
import { ShapeSchema } from '../parameters.ts'
import { passHours } from './constants.ts'
import { body, defineEndpoint } from './define-endpoint.ts'
import { NameSchema, SlugSchema } from './request-fields.ts'

/** A workspace of the account. */
export interface ConsoleWorkspace {
  slug: string
  name: string
  /** The default of the workspace; `null` means the default of the deployment. */
  shape: Shape | null
  /** The default of the workspace; `null` means the default of the deployment. */
  locale: Locale | null
  /** How long a pass can be believed, in hours; `null` means the default, 14 days. */
  pass_hours: number | null
}

const PassHoursSchema = v.pipe(
  v.number('pass_hours'),
  v.integer('pass_hours'),
  v.minValue(passHours.min, 'pass_hours'),
  v.maxValue(passHours.max, 'pass_hours'),
)

export const workspaceEndpoints = {
  /** A slug that is taken, by any account, is `{ slug: 'slug_taken' }`. */
  createWorkspace: defineEndpoint({
    method: 'POST',
    path: '/workspaces',
    request: { slug: SlugSchema, name: NameSchema },
    response: body<ConsoleWorkspace>(),
    activity: ['workspace.created'],
  }),
  /** Fields that are left out stay, `null` means the default of the deployment. */
  updateWorkspace: defineEndpoint({
    method: 'PATCH',
    path: '/workspaces/:slug',
    request: {
      name: v.exactOptional(NameSchema),
      shape: v.exactOptional(v.nullable(ShapeSchema)),
      locale: v.exactOptional(v.nullable(v.picklist(locales, 'locale'))),
      /** From 1 hour to 90 days. */
      pass_hours: v.exactOptional(v.nullable(PassHoursSchema)),
    },
    response: body<ConsoleWorkspace>(),
    activity: ['workspace.changed'],
  }),
}
