import type { ColumnValue } from '../records/columns.ts'
import type { RecordType } from '../records/tables.ts'
import type { ImportCounts } from './copy.ts'
import type { KnownPasswords } from './passwords.ts'
import type { Findings } from './problems.ts'

/** Writes rows to where they wait until all are checked. */
export interface StagingWriter {
  begin: () => void | Promise<void>
  /** Afterwards everything that was written is there. */
  end: () => void | Promise<void>
  /** To be waited for now and then, where it gives a promise: what was written is more than should be held. */
  flushIfNeeded: () => Promise<void> | undefined
  add: (type: RecordType, line: number, row: readonly ColumnValue[]) => void
  /** Remembers the first line on which an item is sold. */
  sell: (line: number, itemId: number) => void
  bind: (line: number, itemId: number) => void
}

/** What a check found that writing would do, and as of which state of the database. */
export interface Checked {
  counts: ImportCounts
  version: string | number
  /** How many warnings there were before the check. */
  warningCount: number
}

export interface CopyOptions {
  findings: Findings
  /** Who imports, and when, for the audit log. */
  actor: string
  at: Date
}

/** Where an import goes. */
export interface ImportTarget {
  writer: StagingWriter
  passwords: KnownPasswords
  /** Checks in a snapshot of the database, without blocking writers. */
  check: (findings: Findings) => Promise<Checked>
  /** Copies what was checked, as one step; checks again before that if anybody has written since. */
  copy: (checked: Checked, options: CopyOptions) => Promise<ImportCounts>
}
