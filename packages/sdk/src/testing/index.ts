export { createFake, type Fake, type FakeOptions, type FakeRequest } from './fake.ts'
export type { Fault } from './faults.ts'
export type {
  AccountRecord,
  FakeRecord,
  ItemRecord,
  KeyRecord,
  PurchaseRecord,
  WorkspaceRecord,
} from './records.ts'
