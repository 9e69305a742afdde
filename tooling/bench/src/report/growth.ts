import type { CellReport } from './report.ts'
import { formatTable, formatNumber as number } from './table.ts'

/** What was measured at one size of the database. */
export interface GrowthPoint {
  workspaces: number
  purchases: number
  /** Purchases that were added to reach this size, and the time that took. */
  imported: number
  importSeconds: number
  reports: Record<string, CellReport>
}

export interface Growth {
  byPurchases: readonly GrowthPoint[]
  byWorkspaces: readonly GrowthPoint[]
}

const count = (value: number) => value.toLocaleString('en')
const cpu = (point: GrowthPoint, server: string) => point.reports[server]?.cpuMicroseconds ?? Number.NaN

function table(title: string, points: readonly GrowthPoint[], size: (point: GrowthPoint) => number) {
  const columns = ['µs, floor', 'µs, saleproof', 'a second, saleproof', 'imported a second']
  const rows = points.map((point) => [
    count(size(point)),
    number(cpu(point, 'floor')),
    number(cpu(point, 'saleproof')),
    number(point.reports.saleproof?.rate.median ?? Number.NaN),
    number(point.imported / point.importSeconds),
  ])
  return formatTable([title, ...columns], rows)
}

export const formatGrowth = ({ byPurchases, byWorkspaces }: Growth) =>
  [
    'Processor time of one validation, codes in random order over all purchases, and the speed of the import that made the database.',
    table('purchases', byPurchases, ({ purchases }) => purchases),
    `With ${count(byWorkspaces[0]?.purchases ?? 0)} purchases, keys and codes in random order over all workspaces:`,
    table('workspaces', byWorkspaces, ({ workspaces }) => workspaces),
  ].join('\n\n')

const series = [
  { server: 'floor', color: '#8a8f98' },
  { server: 'saleproof', color: '#1f6feb' },
]
const [width, height, left, top, bottom] = [330, 240, 50, 34, 40]

interface Panel {
  title: string
  points: readonly GrowthPoint[]
  size: (point: GrowthPoint) => number
  offset: number
  highest: number
}

function drawPanel({ title, points, size, offset, highest }: Panel): string {
  const exponents = points.map((point) => Math.log10(size(point)))
  const [first = 0] = exponents
  const range = (exponents.at(-1) ?? 1) - first || 1
  const x = (point: GrowthPoint) =>
    offset + left + ((Math.log10(size(point)) - first) / range) * (width - left - 20)
  const y = (value: number) => top + (1 - value / highest) * (height - top - bottom)
  const lines = series.map(({ server, color }) => {
    const drawn = points.map((point) => `${x(point).toFixed(1)},${y(cpu(point, server)).toFixed(1)}`)
    const dots = drawn.map(
      (place) => `<circle cx="${place.split(',')[0]}" cy="${place.split(',')[1]}" r="3" fill="${color}"/>`,
    )
    return `<polyline points="${drawn.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>${dots.join('')}`
  })
  const marks = points.map(
    (point) =>
      `<text x="${x(point).toFixed(1)}" y="${height - bottom + 18}" text-anchor="middle">${count(size(point))}</text>`,
  )
  const scale = [0, highest / 2, highest].map(
    (value) =>
      `<line x1="${offset + left}" x2="${offset + width - 20}" y1="${y(value)}" y2="${y(value)}" stroke="#d0d7de"/>` +
      `<text x="${offset + left - 8}" y="${y(value) + 4}" text-anchor="end">${value} µs</text>`,
  )
  const heading = `<text x="${offset + left}" y="20" font-weight="bold">${title}</text>`
  return [heading, ...scale, ...lines, ...marks].join('\n')
}

/** The processor time of a validation over the size of the database, as an SVG with a panel for each kind of growth. */
export function plotGrowth({ byPurchases, byWorkspaces }: Growth): string {
  const values = [...byPurchases, ...byWorkspaces].flatMap((point) =>
    series.map(({ server }) => cpu(point, server)),
  )
  const highest = Math.ceil(Math.max(1, ...values.filter(Number.isFinite)) / 20) * 20
  const panels = [
    drawPanel({
      title: 'by purchases',
      points: byPurchases,
      size: ({ purchases }) => purchases,
      offset: 0,
      highest,
    }),
    drawPanel({
      title: 'by workspaces',
      points: byWorkspaces,
      size: ({ workspaces }) => workspaces,
      offset: width,
      highest,
    }),
  ]
  const legend = series.map(
    ({ server, color }, index) =>
      `<circle cx="${left + 4 + index * 90}" cy="${height - 8}" r="4" fill="${color}"/>` +
      `<text x="${left + 14 + index * 90}" y="${height - 4}">${server}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width * 2} ${height}" font-family="system-ui, sans-serif" font-size="11" fill="#57606a">
<title>Processor time of one validation</title>
${[...panels, ...legend].join('\n')}
</svg>
`
}
