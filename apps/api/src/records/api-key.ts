import { keyFields } from '@saleproof/schema/records'
import type { ApiKeyModel } from '../generated/sqlite/models.ts'
import { recordTable } from './table.ts'

/** The ids of the items that a key is bound to, as JSON, in order. */
export const boundItems = (table: string, key: string) => `(SELECT
  '[' || coalesce(string_agg(CAST(b."itemId" AS text), ',' ORDER BY b."itemId"), '') || ']'
  FROM ${table} b WHERE b."workspaceId" = ${key}."workspaceId" AND b."keyId" = ${key}."id")`

export const apiKeyTable = recordTable<keyof ApiKeyModel>()(keyFields, {
  name: 'ApiKey',
  columns: {
    workspace: { select: 'w."slug"' },
    name: 'name',
    // Kept as its hash and encrypted.
    key: { decrypted: true },
    publishable: { column: 'publishable', default: false },
    items: { select: boundItems('"ApiKeyItem"', 't'), default: [] },
    expires_at: 'expiresAt',
    revoked_at: 'revokedAt',
    // In staging it is the hash of that key, in a file the key itself.
    replaces: { column: 'replacesId', select: 'r."keyHash"', decrypted: true },
  },
  generated: { keyHash: 'text', keyCipher: 'bytes', createdAt: 'integer', id: 'text' },
  identity: { field: 'key', column: 'keyHash' },
  exported: {
    from: '"ApiKey" t JOIN "Workspace" w ON w."id" = t."workspaceId" LEFT JOIN "ApiKey" r ON r."id" = t."replacesId"',
    columns: { keyHash: 't."keyHash"', keyCipher: 't."keyCipher"', replacedCipher: 'r."keyCipher"' },
    orderBy: 'w."slug", t."name"',
  },
})
