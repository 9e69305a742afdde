/** Where a table is of a deployment in a file: in the database, or in what traffic writes beside it. */
export type Place = 'main' | 'traffic'

interface Named {
  name: string
  place: Place
  /** Columns that are generated again. */
  except?: readonly string[]
}

/** Every table of a deployment, each after those that its rows refer to. */
export const tables: readonly Named[] = [
  'Deployment',
  'Account',
  'Session',
  'Workspace',
  'ApiKey',
  'Item',
  'ApiKeyItem',
  'Purchase',
  'Revision',
  'ItemChange',
  'AuditEntry',
  'AuditHead',
]
  .map((name): Named => ({ name, place: 'main' }))
  .concat(
    ...['KeyUse', 'Counts', 'CountsWritten'].map((name): Named => ({ name, place: 'traffic' })),
    // Its numbers are of the file alone.
    { name: 'CountBatch', place: 'traffic', except: ['id'] },
  )

export type ColumnKind = 'text' | 'number' | 'flag' | 'timestamp' | 'bytes'

export interface Column {
  name: string
  kind: ColumnKind
}

/** A table with its columns; `key` are those that give its rows their order. */
export interface Table extends Named {
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
  /** The place in the primary key, from 1 on; 0 where it is not in it. */
  pk: number
}

/** The types that a file names are those of the schema, so they say what a value is on either side. */
export function describeTable(named: Named, found: readonly ColumnInfo[]): Table {
  const kept = found.filter(({ name }) => !named.except?.includes(name))
  const columns = kept.map(({ name, type, pk }) => {
    const kind = kinds[type]
    if (!kind) throw new Error(`the type ${type} of ${named.name}.${name} is not known to a transfer`)
    return { name, kind, pk }
  })
  const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk)
  return { ...named, columns, key: key.length ? key : columns }
}
