import type { Report, ScenarioReport } from './report.ts'

/** A ratio may fall by this part: less is noise. */
const tolerance = 0.15

const entriesOf = ({ dataSets }: Report) =>
  Object.entries(dataSets).flatMap(([dataSet, { scenarios }]) =>
    Object.entries(scenarios).flatMap(([scenario, byServer]) =>
      Object.entries(byServer).map(([server, report]) => ({ dataSet, scenario, server, report })),
    ),
  )

interface Comparison {
  scenario: string
  recorded: number
  now: number
}

/** The service's ratios that both reports have. Competitors are not compared. */
export function compareReports(recorded: Report, now: Report): Comparison[] {
  return entriesOf(now).flatMap(({ dataSet, scenario, server, report }) => {
    const before = recorded.dataSets[dataSet]?.scenarios[scenario]?.[server]?.ratio.median
    if (!server.startsWith('saleproof') || before === undefined) return []
    return [{ scenario: `${dataSet}, ${scenario}, ${server}`, recorded: before, now: report.ratio.median }]
  })
}

export const isRegression = ({ recorded, now }: Comparison) => now < recorded * (1 - tolerance)

const isSlower = ({ ratio }: ScenarioReport) => ratio.highest < 1

/** Scenarios in which a server was slower than the baseline in every round. */
export const slowerThanBaseline = (report: Report, name: string): string[] =>
  entriesOf(report)
    .filter(({ server, report }) => server === name && isSlower(report))
    .map(({ dataSet, scenario }) => `${dataSet}, ${scenario}`)
