import type { Report } from './report.ts'

/** The part of a recorded ratio that may be lost before it counts as a loss: below that it is noise. */
const tolerance = 0.15

/** One ratio of the service in two reports. */
export interface Comparison {
  what: string
  recorded: number
  now: number
}

/** Every ratio of the service that both reports have. The peers are not ours to keep fast. */
export function compareReports(recorded: Report, now: Report): Comparison[] {
  return Object.entries(now.dataSets).flatMap(([dataSet, { cells }]) =>
    Object.entries(cells).flatMap(([cell, servers]) =>
      Object.entries(servers).flatMap(([server, { ratio }]) => {
        const before = recorded.dataSets[dataSet]?.cells[cell]?.[server]?.ratio.median
        if (!server.startsWith('saleproof') || before === undefined) return []
        return [{ what: `${dataSet}, ${cell}, ${server}`, recorded: before, now: ratio.median }]
      }),
    ),
  )
}

export const isLoss = ({ recorded, now }: Comparison) => now < recorded * (1 - tolerance)
