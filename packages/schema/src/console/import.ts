import * as v from 'valibot'
import { locales } from '../constants.ts'
import type { ItemRecord } from '../records/item.ts'
import type { PurchaseRecord } from '../records/purchase.ts'
import { body, defineEndpoint } from './define-endpoint.ts'

/** What is wrong with a record, or worth a warning. Never holds a value of it. */
export interface ImportProblem {
  line: number
  /** The path of the field, such as `media.thumbnail`; `null` when it is the line as a whole. */
  field: string | null
  message: string
}

/** How many records of a type were or would be stored. */
export interface ImportCount {
  created: number
  updated: number
  unchanged: number
}

/** What an import did, or why not. */
export interface ConsoleImport {
  /** Whether the records are stored: all of them or none. */
  stored: boolean
  /** Why not. Empty where nothing is wrong. */
  problems: ImportProblem[]
  /** Whether checking stopped at the largest number of problems, so that there may be more. */
  more: boolean
  /** The first of the warnings. */
  warnings: ImportProblem[]
  counts: { items: ImportCount; purchases: ImportCount }
}

/** An item or a purchase in the import format, of the workspace in the path, whatever it names. */
export type ImportedRecord = Omit<ItemRecord, 'workspace'> | PurchaseRecord

const FlagSchema = v.pipe(
  v.picklist(['true', 'false'], 'type'),
  v.transform((text) => text === 'true'),
)

export const importEndpoints = {
  /** Imports at most 16 MiB of records. */
  importRecords: defineEndpoint({
    method: 'POST',
    path: '/workspaces/:slug/records',
    request: {
      /** Check everything, store nothing. */
      dry_run: v.exactOptional(FlagSchema),
      /** Refuse to change what is stored. What is stored exactly so is no error: it was sent before, and the response was lost. */
      only_new: v.exactOptional(FlagSchema),
      /** The language of the problems; `en` by default. */
      locale: v.exactOptional(v.picklist(locales, 'locale')),
    },
    records: body<ImportedRecord>(),
    response: body<ConsoleImport>(),
    activity: ['import', 'purchase.created'],
  }),
}
