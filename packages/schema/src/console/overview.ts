import * as v from 'valibot'
import type { ErrorCode } from '../errors.ts'
import {
  failedCodeReasons,
  type OverviewPeriod,
  overviewPeriods,
  type ValidationOutcome,
} from './constants.ts'
import { body, defineEndpoint } from './define-endpoint.ts'
import type { ExposedKey } from './keys.ts'
import type { ConsolePurchase } from './purchases.ts'
import { isTimeZone } from './request-fields.ts'
import type { ConsoleSales } from './sales.ts'

/** The number of validations by outcome. */
export type OutcomeCounts = Record<ValidationOutcome, number>

/** The median and the 99th percentile of the time that validations took inside the service, in milliseconds. */
export interface Latency {
  p50: number
  p99: number
}

/** The validations of an hour (`24h`, `7d`) or a day in the time zone. `year` and `all` have 90 days: older ones are not kept. */
export interface OverviewBucket {
  /** The start of the bucket. It ends where the next one starts; the last one may not be over. */
  start: string
  outcomes: OutcomeCounts
  /** `null` where there were none. */
  latency: Latency | null
}

/** The valid validations of an item; `name` is `null` when the item was removed. */
export interface ItemCount {
  item_id: number
  name: string | null
  total: number
  /** One number for each bucket. */
  counts: number[]
}

/** The validations with a key, whatever their outcome; `name` is `null` when the key was removed. */
export interface KeyCount {
  key_id: string
  name: string | null
  /** The last four characters of the key, as in `ConsoleKey`. */
  last_four: string | null
  total: number
  /** One number for each bucket. */
  counts: number[]
  /** How many of them were valid. */
  valid: number
}

/** The validations of a workspace in a period. */
export interface ConsoleOverview {
  period: OverviewPeriod
  timezone: string
  bucket: 'hour' | 'day'
  /** Oldest first, without gaps. */
  buckets: OverviewBucket[]
  total: OutcomeCounts
  latency: Latency | null
  /** Most first, 20 at most. */
  items: ItemCount[]
  /** Most first, 20 at most. */
  keys: KeyCount[]
  /** Now, whatever the period is. */
  exposed_keys: ExposedKey[]
  /** Most first. */
  failures: { code: ErrorCode; count: number }[]
  /**
   * Until when validations are included: the time of the request, but for a second of other processes. Earlier while the counts cannot be
   * written; `null` where they never were.
   */
  flushed_at: string | null
  /** Whether that is now; `false` while the counts cannot be written. */
  up_to_date: boolean
}

/** A code that failed, and what a seller can do about it. */
export interface ConsoleFailedCode {
  /** The purchase that has the code; `null` for an unknown code. */
  purchase: ConsolePurchase | null
  /** The first and the last four characters of an unknown code; `null` where that would be half of it. */
  masked: string | null
  /** The key that was used last; `null` when it was removed. */
  key: { name: string; last_four: string | null } | null
  /** When it failed last. */
  at: string
  /** How often it failed. */
  count: number
}

/** The codes that failed last. */
export interface ConsoleFailedCodes {
  /** Last failure first. */
  codes: ConsoleFailedCode[]
}

const period = {
  /** `7d` by default. */
  period: v.exactOptional(v.picklist(overviewPeriods, 'period')),
  /** An IANA name, such as `America/Sao_Paulo`; `UTC` by default. */
  timezone: v.exactOptional(
    v.pipe(v.string('timezone'), v.maxLength(64, 'timezone'), v.check(isTimeZone, 'timezone')),
  ),
}

export const overviewEndpoints = {
  getOverview: defineEndpoint({
    method: 'GET',
    path: '/workspaces/:slug/overview',
    queued: true,
    request: period,
    response: body<ConsoleOverview>(),
  }),
  getSales: defineEndpoint({
    method: 'GET',
    path: '/workspaces/:slug/sales',
    queued: true,
    request: period,
    response: body<ConsoleSales>(),
  }),
  /** The codes that failed last for a reason, 50 at most and none older than 30 days. */
  listFailedCodes: defineEndpoint({
    method: 'GET',
    path: '/workspaces/:slug/failed-codes',
    queued: true,
    request: { reason: v.picklist(failedCodeReasons, 'reason') },
    response: body<ConsoleFailedCodes>(),
  }),
}
