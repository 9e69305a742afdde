import type { CellReport, DataSetReport, Report } from './report.ts'
import { formatTable, formatNumber as number, formatSpread as spread } from './table.ts'

type Figure = (report: CellReport) => string

function cellTable({ cells }: DataSetReport, title: string, figure: Figure): string {
  const servers = [...new Set(Object.values(cells).flatMap((byServer) => Object.keys(byServer)))]
  const rows = Object.entries(cells).map(([cell, byServer]) => [
    cell,
    ...servers.map((server) => (byServer[server] ? figure(byServer[server]) : '')),
  ])
  return `${title}\n\n${formatTable(['', ...servers], rows)}`
}

function byServerTable<T>(
  title: string,
  byServer: Record<string, T>,
  columns: Record<string, (figures: T) => string>,
) {
  const rows = Object.entries(byServer).map(([server, figures]) => [
    server,
    ...Object.values(columns).map((column) => column(figures)),
  ])
  return `${title}\n\n${formatTable(['', ...Object.keys(columns)], rows)}`
}

const dataSetTables = (name: string, report: DataSetReport) => [
  cellTable(
    report,
    `${name}: rate as a multiple of the floor, median (lowest–highest) of the rounds`,
    ({ ratio }) => spread(ratio),
  ),
  cellTable(report, `${name}: requests a second`, ({ rate }) => number(rate.median)),
  cellTable(report, `${name}: processor time a request, µs`, ({ cpuMicroseconds }) =>
    number(cpuMicroseconds),
  ),
  cellTable(report, `${name}: p50 / p99 at half the peak rate, ms`, ({ latency }) =>
    latency ? `${number(latency.p50)} / ${number(latency.p99)}` : '–',
  ),
  byServerTable(`${name}: memory under load, MB`, report.memory, {
    'after it': ({ afterLoadMegabytes }) => number(afterLoadMegabytes),
    'at most': ({ peakMegabytes }) => number(peakMegabytes),
  }),
]

/** A report as a text to read. */
export function formatReport(report: Report): string {
  const { load, node, cores, quick } = report
  return [
    `Node ${node}, ${cores} cores, load by ${load}${quick ? '; quick: expect noise' : ''}`,
    ...Object.entries(report.dataSets).flatMap(([name, dataSet]) => dataSetTables(name, dataSet)),
    ...(Object.keys(report.start).length
      ? [
          byServerTable('start', report.start, {
            'to the first 200, ms': ({ milliseconds }) => spread(milliseconds),
            'memory when idle, MB': ({ idleMegabytes }) => number(idleMegabytes),
          }),
        ]
      : []),
    ...(Object.keys(report.firstList).length
      ? [
          byServerTable('first list of 10,000 items', report.firstList, {
            ms: ({ milliseconds }) => spread(milliseconds),
            'more memory, MB': ({ growthMegabytes }) => number(growthMegabytes),
          }),
        ]
      : []),
  ].join('\n\n')
}
