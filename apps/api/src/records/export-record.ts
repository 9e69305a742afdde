import { createSerializer, exportedFields } from './json.ts'
import type { RecordTable } from './table.ts'
import { byType, recordTables } from './tables.ts'

/** Writes a row of each type as a line of an export, without its end. */
export const serializeRecord = byType((type) =>
  createSerializer(exportedFields(recordTables[type]), `{"type":"${type}"`),
)

/** What an export selects for the fields of a record. */
export const selectFields = ({ fields }: RecordTable): string =>
  fields.flatMap(({ staged, select }) => (staged === undefined ? [] : `${select} AS "${staged}"`)).join(', ')
