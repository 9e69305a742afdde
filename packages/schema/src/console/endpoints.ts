import * as v from 'valibot'
import {
  ChangePasswordSchema,
  CheckResetLinkSchema,
  type ConsoleAccount,
  type ConsoleResetLink,
  type ConsoleSession,
  type ConsoleSessions,
  ResetPasswordSchema,
  SignInSchema,
  UpdateAccountSchema,
} from './account.ts'
import { type ConsoleActivity, ListActivitySchema } from './activity.ts'
import { CheckSchema, type ConsoleCheck } from './check.ts'
import { type ConsoleEndpointName, type ConsoleRoute, consoleRoutes } from './constants.ts'
import { type ConsoleFailedCodes, FailedCodesSchema } from './failed-codes.ts'
import { type ConsoleImport, type ConsoleImportRequest, ImportRecordsSchema } from './import.ts'
import { type ConsoleItem, type ConsoleItemDetail, type ConsoleItems, ListItemsSchema } from './items.ts'
import {
  type ConsoleKey,
  type ConsoleKeys,
  type CreatedKey,
  CreateKeySchema,
  type RevealedKey,
  type RotatedKey,
  RotateKeySchema,
  ShowKeySchema,
} from './keys.ts'
import { type ConsoleOverview, OverviewSchema } from './overview.ts'
import {
  type ConsolePurchase,
  type ConsolePurchaseDetail,
  type ConsolePurchases,
  ExportPurchasesSchema,
  PurchaseDetailSchema,
  SearchPurchasesSchema,
  SetPurchaseStateSchema,
} from './purchases.ts'
import type { ConsoleSales } from './sales.ts'
import { type ConsoleWorkspace, CreateWorkspaceSchema, UpdateWorkspaceSchema } from './workspaces.ts'

/** An endpoint of the console, as data. */
export interface ConsoleEndpoint extends ConsoleRoute {
  /** The fields of the query of a `GET` or of records, or of the body of any other. */
  request: v.GenericSchema
}

/** The query or body of a request that takes none. */
const NothingSchema = v.strictObject({})

/** The endpoints of the console, each with the schema of its request. */
export const consoleEndpoints = {
  getSession: { ...consoleRoutes.getSession, request: NothingSchema },
  signIn: { ...consoleRoutes.signIn, request: SignInSchema },
  signOut: { ...consoleRoutes.signOut, request: NothingSchema },
  listSessions: { ...consoleRoutes.listSessions, request: NothingSchema },
  endSession: { ...consoleRoutes.endSession, request: NothingSchema },
  endOtherSessions: { ...consoleRoutes.endOtherSessions, request: NothingSchema },
  changePassword: { ...consoleRoutes.changePassword, request: ChangePasswordSchema },
  checkResetLink: { ...consoleRoutes.checkResetLink, request: CheckResetLinkSchema },
  resetPassword: { ...consoleRoutes.resetPassword, request: ResetPasswordSchema },
  getAccount: { ...consoleRoutes.getAccount, request: NothingSchema },
  updateAccount: { ...consoleRoutes.updateAccount, request: UpdateAccountSchema },
  createWorkspace: { ...consoleRoutes.createWorkspace, request: CreateWorkspaceSchema },
  getWorkspace: { ...consoleRoutes.getWorkspace, request: NothingSchema },
  updateWorkspace: { ...consoleRoutes.updateWorkspace, request: UpdateWorkspaceSchema },
  listKeys: { ...consoleRoutes.listKeys, request: NothingSchema },
  createKey: { ...consoleRoutes.createKey, request: CreateKeySchema },
  showKey: { ...consoleRoutes.showKey, request: ShowKeySchema },
  rotateKey: { ...consoleRoutes.rotateKey, request: RotateKeySchema },
  revokeKey: { ...consoleRoutes.revokeKey, request: NothingSchema },
  listItems: { ...consoleRoutes.listItems, request: ListItemsSchema },
  getItem: { ...consoleRoutes.getItem, request: NothingSchema },
  withdrawItem: { ...consoleRoutes.withdrawItem, request: NothingSchema },
  restoreItem: { ...consoleRoutes.restoreItem, request: NothingSchema },
  searchPurchases: { ...consoleRoutes.searchPurchases, request: SearchPurchasesSchema },
  getPurchase: { ...consoleRoutes.getPurchase, request: PurchaseDetailSchema },
  setPurchaseState: { ...consoleRoutes.setPurchaseState, request: SetPurchaseStateSchema },
  removePurchase: { ...consoleRoutes.removePurchase, request: PurchaseDetailSchema },
  exportPurchases: { ...consoleRoutes.exportPurchases, request: ExportPurchasesSchema },
  check: { ...consoleRoutes.check, request: CheckSchema },
  listActivity: { ...consoleRoutes.listActivity, request: ListActivitySchema },
  getOverview: { ...consoleRoutes.getOverview, request: OverviewSchema },
  listFailedCodes: { ...consoleRoutes.listFailedCodes, request: FailedCodesSchema },
  getSales: { ...consoleRoutes.getSales, request: OverviewSchema },
  importRecords: { ...consoleRoutes.importRecords, request: ImportRecordsSchema },
} as const satisfies Record<ConsoleEndpointName, ConsoleEndpoint>

/** The request of each endpoint: the query of a `GET`, records with a query, or the JSON body of any other. */
export type ConsoleRequests = {
  [Name in ConsoleEndpointName]: Name extends 'importRecords'
    ? ConsoleImportRequest
    : v.InferInput<(typeof consoleEndpoints)[Name]['request']>
}

/** The successful response of each endpoint. `undefined` is a 204 without a body, a `Blob` a file. */
export interface ConsoleResponses {
  getSession: ConsoleSession
  signIn: ConsoleSession
  signOut: undefined
  listSessions: ConsoleSessions
  endSession: undefined
  endOtherSessions: undefined
  changePassword: undefined
  checkResetLink: ConsoleResetLink
  resetPassword: ConsoleSession
  getAccount: ConsoleAccount
  updateAccount: ConsoleAccount
  createWorkspace: ConsoleWorkspace
  getWorkspace: ConsoleWorkspace
  updateWorkspace: ConsoleWorkspace
  listKeys: ConsoleKeys
  createKey: CreatedKey
  showKey: RevealedKey
  rotateKey: RotatedKey
  revokeKey: ConsoleKey
  listItems: ConsoleItems
  getItem: ConsoleItemDetail
  withdrawItem: ConsoleItem
  restoreItem: ConsoleItem
  searchPurchases: ConsolePurchases
  getPurchase: ConsolePurchaseDetail
  setPurchaseState: ConsolePurchase
  removePurchase: undefined
  exportPurchases: Blob
  check: ConsoleCheck
  listActivity: ConsoleActivity
  getOverview: ConsoleOverview
  listFailedCodes: ConsoleFailedCodes
  getSales: ConsoleSales
  importRecords: ConsoleImport
}
