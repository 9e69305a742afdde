import type { ErrorCode } from '@saleproof/schema/constants'
import type { MockApiLimit, MockApiOptions } from './mock-api.ts'
import type { KeyRecord } from './records.ts'

const guesses: ReadonlySet<ErrorCode> = new Set(['invalid_api_key', 'item_not_found', 'purchase_not_found'])

function createWindow(name: string, limit: MockApiLimit | undefined, now: () => number) {
  let taken = 0
  let endsAt = 0
  /** The headers of a 429, under any name, once too many were taken. */
  function refusal(as = name): Record<string, string> | undefined {
    if (!limit || taken <= limit.count || now() >= endsAt) return undefined
    const seconds = Math.max(1, Math.ceil((endsAt - now()) / 1_000))
    return {
      'RateLimit-Policy': `"${as}";q=${limit.count};w=${limit.seconds}`,
      RateLimit: `"${as}";r=0;t=${seconds}`,
      'Retry-After': String(seconds),
    }
  }
  return {
    refusal,
    /** Counts one; gives the headers of a 429 where that is too many. */
    take(as = name): Record<string, string> | undefined {
      if (limit && now() >= endsAt) {
        taken = 0
        endsAt = now() + limit.seconds * 1_000
      }
      taken += 1
      return refusal(as)
    },
    giveBack(): void {
      taken -= 1
    },
  }
}

/** The limits of the API: of requests, and of wrong codes, which turn nothing but responses about wrong codes into a 429. */
export function createLimits({ requestLimit, failureLimit }: MockApiOptions, now: () => number) {
  const requests = createWindow('requests', requestLimit, now)
  const failures = createWindow('failures', failureLimit, now)
  const validated = new Set<string>()
  const nameOf = (key: KeyRecord, code: string) => `${key.key} ${code}`
  return {
    request: () => requests.take(),
    failure(code: ErrorCode, key: KeyRecord | undefined): Record<string, string> | undefined {
      const headers = guesses.has(code) ? failures.take(key?.publishable ? 'guesses' : undefined) : undefined
      if (headers) requests.giveBack()
      return headers
    },
    /** Past the limit of wrong codes a publishable key waits for every code that it has not validated before. */
    guess(key: KeyRecord, code: string): Record<string, string> | undefined {
      if (!key.publishable || validated.has(nameOf(key, code))) return undefined
      const headers = failures.refusal('guesses')
      if (headers) requests.giveBack()
      return headers
    },
    validated: (key: KeyRecord, code: string) => void validated.add(nameOf(key, code)),
  }
}

export type Limits = ReturnType<typeof createLimits>
