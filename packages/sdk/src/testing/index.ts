export type { Fault } from './faults.ts'
export {
  createMockApi,
  type MockApi,
  type MockApiOptions,
  type MockApiRequest,
} from './mock-api.ts'
export type {
  AccountRecord,
  ItemRecord,
  KeyRecord,
  MockRecord,
  PurchaseRecord,
  WorkspaceRecord,
} from './records.ts'
