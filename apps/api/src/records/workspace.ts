import { workspaceFields } from '@saleproof/schema/records'
import type { WorkspaceModel } from '../generated/sqlite/models.ts'
import { recordTable } from './table.ts'

export const workspaceTable = recordTable<keyof WorkspaceModel>()(workspaceFields, {
  name: 'Workspace',
  columns: {
    slug: 'slug',
    name: 'name',
    owner: { select: 'a."username"' },
    shape: 'shape',
    locale: 'locale',
  },
  generated: { createdAt: 'integer' },
  identity: { field: 'slug', column: 'slug' },
  exported: { from: '"Workspace" t JOIN "Account" a ON a."id" = t."accountId"', orderBy: 't."slug"' },
})
