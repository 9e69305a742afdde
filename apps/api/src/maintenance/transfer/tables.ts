/** Every table of a deployment, each after those that its rows refer to; then those of the usage file. */
export const tables = [
  'Deployment',
  'Account',
  'Session',
  'ResetLink',
  'Workspace',
  'ApiKey',
  'SigningKey',
  'Item',
  'ApiKeyItem',
  'Purchase',
  'PurchaseChange',
  'PurchaseWord',
  'SalesTotal',
  'Revision',
  'ItemChange',
  'AuditEntry',
  'KeyUse',
  'KeyAddress',
  'Counts',
  'CountsWritten',
  'PurchaseUse',
  'FailedCode',
  'KnownCode',
  'ItemRemoval',
]

export type ColumnKind = 'text' | 'number' | 'flag' | 'timestamp' | 'bytes'

export interface Column {
  name: string
  kind: ColumnKind
}

/** A table with its columns; `key` are those that give its rows their order. */
export interface Table {
  name: string
  columns: readonly Column[]
  key: readonly Column[]
}

const kinds: Readonly<Record<string, ColumnKind>> = {
  TEXT: 'text',
  JSONB: 'text',
  BIGINT: 'number',
  INTEGER: 'number',
  BOOLEAN: 'flag',
  DATETIME: 'timestamp',
  BLOB: 'bytes',
}

/** A column as `PRAGMA table_info` lists it. */
export interface ColumnInfo {
  name: string
  type: string
  /** The position in the primary key, from 1 on; 0 for other columns. */
  pk: number
}

/** A file declares the types of the schema, so they give the kind of a value in both databases. */
export function describeTable(name: string, found: readonly ColumnInfo[]): Table {
  const columns = found.map(({ name: column, type, pk }) => {
    const kind = kinds[type]
    if (!kind) throw new Error(`the type ${type} of ${name}.${column} is not known to a transfer`)
    return { name: column, kind, pk }
  })
  const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk)
  return { name, columns, key: key.length ? key : columns }
}
