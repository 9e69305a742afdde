import type { DataSetReport, Report, ScenarioReport } from './report.ts'
import { formatTable, formatNumber as number, formatSpread as spread } from './table.ts'

function scenarioTable(
  { scenarios }: DataSetReport,
  title: string,
  cell: (report: ScenarioReport) => string,
): string {
  const servers = [...new Set(Object.values(scenarios).flatMap((byServer) => Object.keys(byServer)))]
  const rows = Object.entries(scenarios).map(([scenario, byServer]) => [
    scenario,
    ...servers.map((server) => (byServer[server] ? cell(byServer[server]) : '')),
  ])
  return `${title}\n\n${formatTable(['', ...servers], rows)}`
}

function serverTable<T>(
  title: string,
  byServer: Record<string, T>,
  columns: Record<string, (stats: T) => string>,
): string[] {
  const rows = Object.entries(byServer).map(([server, stats]) => [
    server,
    ...Object.values(columns).map((column) => column(stats)),
  ])
  return rows.length ? [`${title}\n\n${formatTable(['', ...Object.keys(columns)], rows)}`] : []
}

const dataSetTables = (name: string, report: DataSetReport) => [
  scenarioTable(
    report,
    `${name}: rate relative to the baseline, median (lowest–highest) of the rounds`,
    (stats) => spread(stats.ratio),
  ),
  scenarioTable(report, `${name}: requests in the same processor time, relative to the baseline`, (stats) =>
    spread(stats.cpuRatio),
  ),
  scenarioTable(report, `${name}: requests a second`, ({ rate }) => number(rate.median)),
  scenarioTable(report, `${name}: processor time of a request, µs`, (stats) => number(stats.cpuMicroseconds)),
  scenarioTable(report, `${name}: p50 / p99 at half the peak rate, ms`, ({ latency }) =>
    latency ? `${number(latency.p50Ms)} / ${number(latency.p99Ms)}` : '–',
  ),
  ...serverTable(`${name}: memory under load, MB`, report.memory, {
    after: ({ afterLoadMegabytes }) => number(afterLoadMegabytes),
    peak: ({ peakMegabytes }) => number(peakMegabytes),
  }),
]

export function formatReport({ node, cores, quick, dataSets }: Report): string {
  return [
    `Node ${node}, ${cores} cores${quick ? '; quick: expect noise' : ''}`,
    ...Object.entries(dataSets).flatMap(([name, dataSet]) => dataSetTables(name, dataSet)),
  ].join('\n\n')
}
