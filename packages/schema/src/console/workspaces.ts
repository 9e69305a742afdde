import * as v from 'valibot'
import { type Locale, locales, type Shape } from '../constants.ts'
import { ShapeSchema } from '../parameters.ts'
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
  created_at: string
}

export const workspaceEndpoints = {
  /** A slug that is taken, by any account, is `{ slug: 'slug_taken' }`. */
  createWorkspace: defineEndpoint({
    method: 'POST',
    path: '/workspaces',
    request: { slug: SlugSchema, name: NameSchema },
    response: body<ConsoleWorkspace>(),
    activity: ['workspace.created'],
  }),
  getWorkspace: defineEndpoint({
    method: 'GET',
    path: '/workspaces/:slug',
    response: body<ConsoleWorkspace>(),
  }),
  /** Fields that are left out stay, `null` means the default of the deployment. */
  updateWorkspace: defineEndpoint({
    method: 'PATCH',
    path: '/workspaces/:slug',
    request: {
      name: v.exactOptional(NameSchema),
      shape: v.exactOptional(v.nullable(ShapeSchema)),
      locale: v.exactOptional(v.nullable(v.picklist(locales, 'locale'))),
    },
    response: body<ConsoleWorkspace>(),
    activity: ['workspace.changed'],
  }),
}
