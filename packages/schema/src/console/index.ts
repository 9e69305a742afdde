export {
  ChangePasswordSchema,
  CheckResetLinkSchema,
  type ConsoleAccount,
  type ConsoleResetLink,
  type ConsoleService,
  type ConsoleSession,
  type ConsoleSessions,
  ResetPasswordSchema,
  type SignedInBrowser,
  SignInSchema,
  UpdateAccountSchema,
} from './account.ts'
export { type ActivityEntry, type ConsoleActivity, ListActivitySchema } from './activity.ts'
export {
  type CheckedResponse,
  CheckSchema,
  type ConsoleCheck,
} from './check.ts'
export * from './constants.ts'
export {
  type ConsoleEndpoint,
  type ConsoleRequests,
  type ConsoleResponses,
  consoleEndpoints,
} from './endpoints.ts'
export { type ConsoleFailure, fieldCodes } from './errors.ts'
export { type ConsoleFailedCode, type ConsoleFailedCodes, FailedCodesSchema } from './failed-codes.ts'
export {
  type ConsoleImport,
  type ConsoleImportCount,
  type ConsoleImportProblem,
  type ConsoleImportRequest,
  type ImportedRecord,
  ImportRecordsSchema,
} from './import.ts'
export {
  type ConsoleCategory,
  type ConsoleItem,
  type ConsoleItemDetail,
  type ConsoleItems,
  ListItemsSchema,
} from './items.ts'
export {
  type ConsoleKey,
  type ConsoleKeys,
  type CreatedKey,
  CreateKeySchema,
  type ExposedKey,
  type LastUsedBy,
  type RevealedKey,
  type RotatedKey,
  RotateKeySchema,
  ShowKeySchema,
} from './keys.ts'
export {
  type ConsoleOverview,
  type ItemSeries,
  type KeySeries,
  type Latency,
  type OutcomeCounts,
  type OverviewBucket,
  OverviewSchema,
  type OverviewSeries,
} from './overview.ts'
export {
  type ConsoleActor,
  type ConsolePurchase,
  type ConsolePurchaseDetail,
  type ConsolePurchases,
  ExportPurchasesSchema,
  PurchaseDetailSchema,
  type PurchaseEvent,
  type PurchaseHistory,
  type PurchaseValidations,
  SearchPurchasesSchema,
  SetPurchaseStateSchema,
} from './purchases.ts'
export {
  type CappedCount,
  CursorSchema,
  DateTimeSchema,
  EmailSchema,
  NameSchema,
  PasswordInputSchema,
  PasswordSchema,
  PurchaseCodeQuerySchema,
  SlugSchema,
  SocialLinksSchema,
} from './request-fields.ts'
export type { ConsoleSales, CurrencySales, DecimalAmount, ItemSales, SalesFigures } from './sales.ts'
export {
  type ConsoleWorkspace,
  CreateWorkspaceSchema,
  UpdateWorkspaceSchema,
} from './workspaces.ts'
