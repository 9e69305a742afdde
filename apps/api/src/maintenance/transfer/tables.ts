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

/** A column as `PRAGMA table_info` lists it. */
export interface Column {
  name: string
  type: string
}

export interface Table {
  name: string
  columns: readonly Column[]
}
