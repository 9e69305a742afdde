import * as v from 'valibot'
import type { ErrorCode } from '../errors.ts'
import { type OverviewPeriod, overviewPeriods, type ValidationOutcome } from './constants.ts'

/** So many validations, by how they ended. */
export type OutcomeCounts = Record<ValidationOutcome, number>

/** How long validations took inside the service, in milliseconds; half and 99 of 100 took at most so long. */
export interface Latency {
  p50: number
  p99: number
}

/** The validations of an hour (`24h`, `7d`) or a day (`30d`, `90d`) in the time zone. */
export interface OverviewBucket {
  /** When it begins. It ends where the next one begins; the last may still go on. */
  start: string
  outcomes: OutcomeCounts
  /** `null` where there were none. */
  latency: Latency | null
}

/** So many validations. */
export interface OverviewSeries {
  total: number
  /** One number for each bucket. */
  counts: number[]
}

/** Validations that gave a purchase of the item; `name` is `null` when the item is gone. */
export interface ItemSeries extends OverviewSeries {
  item_id: number
  name: string | null
}

/** Validations with the key, however they ended; `name` is `null` when the key is gone. */
export interface KeySeries extends OverviewSeries {
  key_id: string
  name: string | null
  /** Those that gave a purchase. */
  valid: number
}

/** `GET workspaces/:slug/overview`. */
export interface ConsoleOverview {
  period: OverviewPeriod
  timezone: string
  bucket: 'hour' | 'day'
  from: string
  to: string
  /** Oldest first, without gaps. */
  buckets: OverviewBucket[]
  total: OutcomeCounts
  latency: Latency | null
  /** How many took at most `up_to_ms` and more than the one before; `null` is without end. */
  latency_histogram: { up_to_ms: number | null; count: number }[]
  /** Most first, 20 at most. */
  items: ItemSeries[]
  /** Most first, 20 at most. */
  keys: KeySeries[]
  /** Most first. */
  failures: { code: ErrorCode; count: number }[]
  /** When the counts were last written: what came later is not in them. A crash loses what came later, a second at most. */
  flushed_at: string | null
}

const isTimeZone = (name: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The query of `GET workspaces/:slug/overview`. */
export const OverviewSchema = v.strictObject({
  /** `7d` without. */
  period: v.exactOptional(v.picklist(overviewPeriods, 'period')),
  /** A name of the IANA, such as `America/Sao_Paulo`; `UTC` without. */
  timezone: v.exactOptional(
    v.pipe(v.string('timezone'), v.maxLength(64, 'timezone'), v.check(isTimeZone, 'timezone')),
  ),
})
