import type { OperationName } from '@saleproof/schema'
import type { LastUses } from './usage-store.ts'

/** A row of the table of last uses. Who it was is not known of a use that was noted before that was kept. */
export interface KeyUseRow {
  keyId: string
  lastUsedAt: number | string
  operation: OperationName | null
  client: string | null
}

export const lastUsesOf = (rows: readonly KeyUseRow[]): LastUses =>
  new Map(
    rows.map(({ keyId, lastUsedAt, operation, client }) => [
      keyId,
      { at: new Date(Number(lastUsedAt)), by: operation && { operation, client: client ?? '' } },
    ]),
  )
