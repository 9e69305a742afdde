export {
  ChangePasswordSchema,
  type ConsoleAccount,
  type ConsoleService,
  type ConsoleSession,
  SignInSchema,
  UpdateAccountSchema,
} from './account.ts'
export {
  type CheckedAnswer,
  type CheckReason,
  CheckSchema,
  type ConsoleCheck,
  checkReasons,
} from './check.ts'
export {
  type ConsoleEndpoint,
  type ConsoleEndpointName,
  type ConsolePathParameters,
  type ConsoleRequests,
  type ConsoleResponses,
  consoleEndpoints,
  consolePath,
} from './endpoints.ts'
export {
  type ConsoleErrorCode,
  type ConsoleFailure,
  type ConsoleFieldCode,
  consoleErrorCodes,
  consoleErrors,
  consoleFieldCodes,
} from './errors.ts'
export { fieldCodes } from './fields.ts'
export {
  type ConsoleCategory,
  type ConsoleItem,
  type ConsoleItemDetail,
  type ConsoleItems,
  type ItemSort,
  itemSorts,
  ListItemsSchema,
} from './items.ts'
export {
  type ConsoleKey,
  type ConsoleKeys,
  type CreatedKey,
  CreateKeySchema,
  type KeyKind,
  type KeyState,
  keyKinds,
  keyStates,
  type LastUsedBy,
  type RevealedKey,
  ShowKeySchema,
} from './keys.ts'
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
} from './members.ts'
export {
  type ConsoleOverview,
  type ItemSeries,
  type KeySeries,
  type Latency,
  type OutcomeCounts,
  type OverviewBucket,
  type OverviewPeriod,
  OverviewSchema,
  type OverviewSeries,
  overviewPeriods,
  type ValidationOutcome,
  validationOutcomes,
} from './overview.ts'
export {
  type ConsolePurchase,
  type ConsolePurchaseDetail,
  type ConsolePurchases,
  type ExportFormat,
  ExportPurchasesSchema,
  exportFormats,
  PurchaseDetailSchema,
  SearchPurchasesSchema,
  SetPurchaseStateSchema,
} from './purchases.ts'
export {
  type ConsoleWorkspace,
  CreateWorkspaceSchema,
  UpdateWorkspaceSchema,
} from './workspaces.ts'
