import type { SalesOutcome, SalesProblem, SkipReason } from '@saleproof/schema/console'
import { customerFields } from '@saleproof/schema/records'
import type { SaleField } from '@saleproof/schema/sales-file'
import type { FieldIssue } from '../../records/check-record.ts'
import type { LineIssue } from '../problems.ts'
import type { Row } from './csv.ts'

/** The fields whose values are not repeated: codes, and what is about a person. */
export const secretFields: ReadonlySet<string> = new Set<SaleField>(['purchase_code', ...customerFields])

const maxShown = 60

/** To list more of them would take more memory than a thread has. */
const maxRejected = 200_000

/**
 * What becomes of the rows of a sales file. A unit is what is rejected as a whole: a row, or an order with the rows that continue it. It is
 * known by the line on which it begins.
 */
export function createTally() {
  /** The unit of each record, below zero for another record of its row; a record has the number after its index. */
  const units: number[] = []
  const lengths = new Map<number, number>()
  const rejected = new Set<number>()
  const groups = new Map<string, Omit<SalesProblem, 'lines'> & { lines: Map<number, number> }>()
  const skipped: Record<SkipReason, number> = {
    blank: 0,
    header: 0,
    total: 0,
    no_sale: 0,
    repeated: 0,
    no_code: 0,
    given_twice: 0,
  }
  let header = 1
  let unit = 0
  let removed: number[] = []
  let readValue: (row: Row, field: SaleField) => string = () => ''

  const unitOf = (line: number) => Math.abs(units[line - 1] ?? 0)

  /** Notes that the records of a unit are to be removed. They follow each other, with new items among them. */
  function reject(line: number) {
    const rejectedUnit = unitOf(line)
    if (rejected.has(rejectedUnit)) return
    rejected.add(rejectedUnit)
    let from = line
    const isNear = (at: number) => unitOf(at) === rejectedUnit || unitOf(at) === 0
    while (from > 1 && isNear(from - 1)) from--
    for (let at = from; at <= units.length && isNear(at); at++) if (unitOf(at) > 0) removed.push(at)
  }

  return {
    rows: 0,
    partial: 0,
    oneCode: 0,
    /** Whether the rest of the file was not read: nothing may be stored. */
    isCut: false,
    /** What is wrong with rows that have the same code. */
    twice: { field: 'purchase_code', issue: 'sale_twice' } as FieldIssue,
    begin(line: number, read: typeof readValue, hasCodes: boolean) {
      if (!hasCodes) this.twice = { field: 'order', issue: 'sale_apart' }
      header = line
      readValue = read
    },
    skip(reason: SkipReason) {
      skipped[reason] += 1
    },
    /** Gives the unit of a row. */
    addRow({ line, lines }: Row, isContinued: boolean): number {
      if (!isContinued) unit = line
      if (line + lines - unit > 1) lengths.set(unit, line + lines - unit)
      return unit
    },
    /** Gives the number of a record. */
    addRecord(ofUnit: number, isMore = false): number {
      const line = units.push(isMore ? -ofUnit : ofUnit)
      if (rejected.has(ofUnit)) removed.push(line)
      return line
    },
    unitOf,
    problem({ line, field, issue, other }: LineIssue, message: string, row: Row | undefined) {
      const key = `${field} ${issue}`
      const group = groups.get(key) ?? { field, message, lines: new Map<number, number>() }
      groups.set(key, group)
      group.lines.set(unitOf(line), other === undefined ? 0 : unitOf(other))
      if (row && field !== null && !secretFields.has(field))
        group.value ??= readValue(row, field as SaleField).slice(0, maxShown)
      reject(line)
    },
    hasRejected: () => rejected.size > 0,
    isFull: () => rejected.size >= maxRejected,
    /** The numbers of the records that were rejected since the last call. */
    takeRemoved(): readonly number[] {
      const taken = removed
      removed = []
      return taken
    },
    /** Staging is about to be filled again. */
    removeAgain() {
      removed = []
      for (const [index, each] of units.entries()) if (rejected.has(Math.abs(each))) removed.push(index + 1)
    },
    outcome(written: number, sums: Pick<SalesOutcome, 'sums' | 'kept'>): SalesOutcome {
      let [own, lost, good] = [0, 0, 0]
      // Without lists of as many numbers as there are records.
      for (const each of units) {
        const isRejected = rejected.has(Math.abs(each))
        if (each !== 0) own += 1
        if (isRejected) lost += 1
        if (each > 0 && !isRejected) good += 1
      }
      const skips = Object.values(skipped).reduce((sum, count) => sum + count, 0)
      return {
        rows: this.rows,
        more: own + skips - this.rows,
        skipped: { ...skipped, given_twice: own - lost - written },
        rejected: lost,
        good,
        partial: this.partial,
        one_code: this.oneCode,
        ...sums,
        problems: [...groups.values()].map(({ lines, ...group }) => {
          const others = [...lines.values()]
          return { ...group, lines: [...lines.keys()], ...(others[0] && { others }) }
        }),
        header,
        lengths: [...lengths].filter(([begins]) => rejected.has(begins)),
      }
    },
  }
}

export type SalesTally = ReturnType<typeof createTally>
