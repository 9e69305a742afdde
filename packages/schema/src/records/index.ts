// The entry `@saleproof/schema/records`, for this repository alone: the tables of fields that everything about a record derives from.

export { type AccountRecord, accountFields } from './account.ts'
export {
  build,
  type Condition,
  type ConditionItem,
  type ConditionParts,
  conditions,
  type EditablePath,
  type Field,
  type FieldPath,
  type Fields,
  type FieldType,
  type FieldValues,
  type FieldWithPath,
  fieldList,
  isField,
  type PrivateFieldType,
  type PublicFieldType,
  present,
  type View,
  type Viewed,
} from './fields.ts'
export { type RecordIssue, recordIssues } from './issues.ts'
export { type ItemRecord, itemFields } from './item.ts'
export { type KeyRecord, keyFields } from './key.ts'
export { presentAccount, presentItem, presentPurchase } from './present.ts'
export { customerFields, type PurchaseRecord, purchaseFields } from './purchase.ts'
export { type WorkspaceRecord, workspaceFields } from './workspace.ts'
