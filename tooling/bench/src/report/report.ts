import type { Summary } from '../statistics.ts'

/** One server in one scenario. */
export interface ScenarioReport {
  /** To the baseline, round by round. */
  ratio: Summary
  /** Requests a second. */
  rate: Summary
  /** How many times as many requests the server answers as the baseline in the same processor time, round by round. */
  cpuRatio: Summary
  /** Processor time of the server for a request. */
  cpuMicroseconds: number
  /** At about half the peak rate. */
  latency?: { rate: number; p50Ms: number; p99Ms: number }
}

type ByServer<T> = Record<string, T>

export interface DataSetReport {
  /** By scenario, then by server. */
  scenarios: Record<string, ByServer<ScenarioReport>>
  memory: ByServer<{ afterLoadMegabytes: number; peakMegabytes: number }>
}

/** The results of a run, as `--json` writes them. */
export interface Report {
  measuredAt: string
  node: string
  cores: number
  quick: boolean
  dataSets: Record<string, DataSetReport>
}

/** The scenarios in which a server was slower than the baseline in every round. */
export const slowerThanBaseline = ({ dataSets }: Pick<Report, 'dataSets'>, server: string): string[] =>
  Object.entries(dataSets).flatMap(([dataSet, { scenarios }]) =>
    Object.entries(scenarios)
      .filter(([, byServer]) => (byServer[server]?.ratio.highest ?? 1) < 1)
      .map(([scenario]) => `${dataSet}, ${scenario}`),
  )
