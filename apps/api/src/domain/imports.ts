import type { Locale } from '@saleproof/schema'
import type {
  ImportCount,
  ImportProblem,
  SalesChoices,
  SalesFileItem,
  SalesOutcome,
  SalesPreview,
  SalesPreviewRequest,
} from '@saleproof/schema/console'
import { byType, type RecordType } from '../records/tables.ts'
import { UserError } from '../user-error.ts'

/** The file was refused and nothing of it is stored. */
export class ImportError extends UserError {
  readonly problems: readonly ImportProblem[]
  /** Whether reading stopped at the largest number of problems, so that there may be more. */
  readonly more: boolean

  constructor(problems: readonly ImportProblem[], more: boolean) {
    super('the import was refused and nothing was stored')
    this.name = 'ImportError'
    this.problems = problems
    this.more = more
  }
}

/** What an import did, or with `dryRun` would have done, by type of record. */
export type ImportCounts = Record<RecordType, ImportCount>

export const noCounts = (): ImportCounts => byType(() => ({ created: 0, updated: 0, unchanged: 0 }))

export interface ImportResult {
  counts: ImportCounts
  /** Only for a sales file. */
  sales?: SalesOutcome | undefined
  /** Whether a sales file has to be corrected first. */
  refused?: boolean
  preview?: FilePreview
  /** The first of the warnings, as many as errors would be listed. */
  warnings: readonly ImportProblem[]
  /** How many warnings there were in all. */
  warningCount: number
}

/** Items and purchases of one workspace, which they do not name. */
export interface OwnRecords {
  /** Its slug. */
  workspace: string
  /** Refuse to change what is stored. What is stored exactly so may have been sent before: its response was lost. */
  onlyNew: boolean
}

/** How a sales file is to be read. */
export interface SalesOptions extends Omit<SalesChoices, 'new_items' | 'dry_run' | 'locale'> {
  /** Items that are created with their sales; `url` stands for their pages and pictures. */
  newItems: readonly { id: number; name: string; url: string }[]
  /** What made codes are derived from. */
  seed?: string | undefined
}

/** How a sales file would be read, whatever is stored. */
export type FilePreview = Omit<SalesPreview, 'items'> & { items: Omit<SalesFileItem, 'item'>[] }

/** What is to be imported. */
export interface ImportRequest {
  /** NDJSON, or with `sales` the file of a shop, in chunks of any size. */
  source: AsyncIterable<Uint8Array>
  /** The file that `source` reads: a thread opens it by itself. */
  file?: string | undefined
  sales?: SalesOptions | undefined
  /** Only looks at the file of a shop. */
  preview?: SalesPreviewRequest | undefined
  /** The actor in the audit log. */
  actor?: 'cli' | 'admin-import' | `console:${string}` | undefined
  /** Whether a single record comes from a form: the audit log says so where it is a purchase. */
  manual?: boolean | undefined
  /** Whose records they are; without it they may be of several owners. */
  own?: OwnRecords | undefined
  /** The shop that all of it comes from, as `sales` has one: fields of purchases that were edited here, or erased, stay as they are. */
  shop?: Pick<SalesOptions, 'profile' | 'file'> | undefined
  now: () => Date
  /** Shared memory that gets the number of records that were read. */
  progress?: Int32Array | undefined
  /** Check everything, store nothing. */
  dryRun?: boolean | undefined
  maxErrors?: number | undefined
  /** The language of problems and warnings. */
  locale?: Locale | undefined
  /** Stops the import, also where a server does not respond. Nothing is stored, unless it was just then being committed. */
  signal?: AbortSignal | undefined
}
