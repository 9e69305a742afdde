import type { Summary } from '../statistics.ts'

/** Milliseconds, at so many requests a second. */
export interface Latency {
  rate: number
  p50: number
  p99: number
}

/** One server in one cell. */
export interface CellReport {
  /** To the floor, round by round. */
  ratio: Summary
  /** Requests a second. */
  rate: Summary
  /** Processor time that the server took for a request. */
  cpuMicroseconds: number
  /** At half the peak rate. */
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
  /** By cell, then by server. */
  cells: Record<string, ByServer<CellReport>>
  memory: ByServer<MemoryReport>
}

/** Everything that a run found out, as `--json` keeps it. */
export interface Report {
  measuredAt: string
  node: string
  cores: number
  load: string
  quick: boolean
  dataSets: Record<string, DataSetReport>
  start: ByServer<StartReport>
  /** Of the large data set. */
  firstList: ByServer<FirstListReport>
}
