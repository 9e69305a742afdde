import type { Summary } from '../statistics.ts'

export interface Latency {
  /** Requests a second. */
  rate: number
  p50Ms: number
  p99Ms: number
}

/** One server in one scenario. */
export interface ScenarioReport {
  /** To the baseline, round by round. */
  ratio: Summary
  /** Requests a second. */
  rate: Summary
  /** Processor time of the server for a request. */
  cpuMicroseconds: number
  /** At about half the peak rate. */
  latency?: Latency
}

export interface MemoryReport {
  afterLoadMegabytes: number
  peakMegabytes: number
}

export interface StartReport {
  milliseconds: Summary
  idleMegabytes: number
}

export interface FirstListReport {
  milliseconds: Summary
  growthMegabytes: number
}

type ByServer<T> = Record<string, T>

export interface DataSetReport {
  importSeconds: number
  /** By scenario, then by server. */
  scenarios: Record<string, ByServer<ScenarioReport>>
  memory: ByServer<MemoryReport>
}

/** The results of a run, as `--json` writes them. */
export interface Report {
  measuredAt: string
  node: string
  cores: number
  quick: boolean
  dataSets: Record<string, DataSetReport>
  start: ByServer<StartReport>
  /** Of the large data set. */
  firstList: ByServer<FirstListReport>
}

/** The scenarios in which a server was slower than the baseline in every round. */
export const slowerThanBaseline = ({ dataSets }: Pick<Report, 'dataSets'>, server: string): string[] =>
  Object.entries(dataSets).flatMap(([dataSet, { scenarios }]) =>
    Object.entries(scenarios)
      .filter(([, byServer]) => (byServer[server]?.ratio.highest ?? 1) < 1)
      .map(([scenario]) => `${dataSet}, ${scenario}`),
  )
