import type { Summary } from '../statistics.ts'

/** A Markdown table with aligned columns: the first to the left, the others to the right. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${widths
      .map((width, column) => {
        const text = cells[column] ?? ''
        return column === 0 ? text.padEnd(width) : text.padStart(width)
      })
      .join(' | ')} |`
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [line(head), rule, ...rows.map(line)].join('\n')
}

/** A number with about three significant digits. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

/** The median and the range. */
export const formatSpread = ({ median, lowest, highest }: Summary) =>
  `${formatNumber(median)} (${formatNumber(lowest)}–${formatNumber(highest)})`
