import type { PurchaseState } from '@saleproof/schema'
import { isFunction, type Rules, readOptions } from '../options.ts'
import type { Fetch } from '../types.ts'
import { checkFault, type Fault, simulateFault } from './faults.ts'
import { defaultKey, defaultRecords, type MockRecord, type PurchaseRecord } from './records.ts'
import { respond } from './respond.ts'
import { createState } from './state.ts'

/** The options of a mock API. */
export interface MockApiOptions {
  /** Its records, in the import format of the API; by default one seller with one key and the item 101. */
  readonly records?: readonly MockRecord[] | undefined
  /** The clock, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined
}

/** A request to the mock API. */
export interface MockApiRequest {
  readonly method: string
  readonly path: string
}

/** An API in memory. */
export interface MockApi {
  /** The base URL for a client. */
  readonly baseUrl: string
  /** A key of the default records. */
  readonly apiKey: string
  /** The option `fetch` of a client. */
  readonly fetch: Fetch
  /** Every request so far, including those with a fault. */
  readonly requests: readonly MockApiRequest[]
  /** Adds records, and replaces those that exist. */
  load(records: readonly MockRecord[]): void
  /** Sells an item and returns the purchase code. */
  sell(item: number, purchase?: Partial<Omit<PurchaseRecord, 'type' | 'item'>>): string
  /** Refunds, revokes or restores a purchase. */
  setPurchaseState(code: string, state: PurchaseState): void
  /**
   * All requests have a fault until `recover`, or the next `times` of them; faults queue. A client retries: it hides a fault of one
   * request.
   */
  fail(fault: Fault, times?: number): void
  /** Removes all faults. */
  recover(): void
}

const rules: Rules<MockApiOptions> = {
  records: Array.isArray,
  now: isFunction,
}

/**
 * Creates an API in memory that responds to the client like the real one. It believes its records.
 *
 * @example
 * const mockApi = createMockApi()
 * const client = createClient({ baseUrl: mockApi.baseUrl, apiKey: mockApi.apiKey, fetch: mockApi.fetch })
 * const code = mockApi.sell(101)
 * await client.checkPurchase(code) // { outcome: 'valid', … }
 */
export function createMockApi(options: MockApiOptions = {}): MockApi {
  const { records = defaultRecords, now = Date.now } = readOptions(options, rules)
  const state = createState(records)
  const requests: MockApiRequest[] = []
  const faults: { fault: Fault; times: number }[] = []

  const nextFault = () => {
    const [first] = faults
    if (first && --first.times < 1) faults.shift()
    return first?.fault
  }

  const fetch: Fetch = async (url, init) => {
    const request = new Request(url, init)
    requests.push({ method: request.method, path: new URL(request.url).pathname })
    const fault = nextFault()
    return fault ? simulateFault(fault, init.signal) : respond(state, request, now())
  }

  return {
    baseUrl: 'https://saleproof.test',
    apiKey: defaultKey,
    fetch,
    requests,
    load: (more) => more.forEach(state.add),
    sell(item, purchase = {}) {
      const purchase_code = purchase.purchase_code ?? crypto.randomUUID().toUpperCase()
      const sale = { license_type: 'Regular', price: 19, currency: 'USD', downloaded: false } as const
      const date = new Date(now()).toISOString()
      state.add({ type: 'purchase', ...sale, date, ...purchase, item, purchase_code })
      return purchase_code
    },
    setPurchaseState: state.setPurchaseState,
    fail(fault, times = Number.POSITIVE_INFINITY) {
      checkFault(fault)
      faults.push({ fault, times })
    },
    recover: () => void faults.splice(0),
  }
}
