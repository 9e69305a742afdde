export type { Fault } from './faults.ts'
export {
  createMockApi,
  type MockApi,
  type MockApiOptions,
  type MockApiRequest,
} from './mock-api.ts'
export type { ItemRecord, MockRecord, PurchaseRecord } from './records.ts'
