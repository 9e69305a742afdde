import type { ErrorCode } from '@saleproof/schema/constants'
import type { MockApiLimit, MockApiOptions } from './mock-api.ts'

const guesses: ReadonlySet<ErrorCode> = new Set(['invalid_api_key', 'item_not_found', 'purchase_not_found'])

function createWindow(name: string, limit: MockApiLimit | undefined, now: () => number) {
  let taken = 0
  let endsAt = 0
  return {
    /** Counts one; gives the headers of a 429 where that is too many. */
    take(): Record<string, string> | undefined {
      if (!limit) return undefined
      if (now() >= endsAt) {
        taken = 0
        endsAt = now() + limit.seconds * 1_000
      }
      taken += 1
      if (taken <= limit.count) return undefined
      const seconds = Math.max(1, Math.ceil((endsAt - now()) / 1_000))
      return {
        'RateLimit-Policy': `"${name}";q=${limit.count};w=${limit.seconds}`,
        RateLimit: `"${name}";r=0;t=${seconds}`,
        'Retry-After': String(seconds),
      }
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
  return {
    request: requests.take,
    failure(code: ErrorCode): Record<string, string> | undefined {
      const headers = guesses.has(code) ? failures.take() : undefined
      if (headers) requests.giveBack()
      return headers
    },
  }
}

export type Limits = ReturnType<typeof createLimits>
