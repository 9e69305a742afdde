import type { ConsoleEndpointName, consoleEndpoints } from '@saleproof/schema/console'

type Endpoints = typeof consoleEndpoints

/**
 * Method and path of each endpoint. Repeated instead of imported: the import would add the request schemas, which only the
 * service needs, to the pages. A difference does not compile.
 */
export const endpoints: {
  readonly [Name in ConsoleEndpointName]: readonly [Endpoints[Name]['method'], Endpoints[Name]['path']]
} = {
  getSession: ['GET', '/session'],
  signIn: ['POST', '/session'],
  signOut: ['DELETE', '/session'],
  changePassword: ['POST', '/password'],
  getAccount: ['GET', '/account'],
  updateAccount: ['PATCH', '/account'],
  createWorkspace: ['POST', '/workspaces'],
  getWorkspace: ['GET', '/workspaces/:slug'],
  updateWorkspace: ['PATCH', '/workspaces/:slug'],
  listKeys: ['GET', '/workspaces/:slug/keys'],
  createKey: ['POST', '/workspaces/:slug/keys'],
  showKey: ['POST', '/workspaces/:slug/keys/:id/show'],
  revokeKey: ['POST', '/workspaces/:slug/keys/:id/revoke'],
  listItems: ['GET', '/workspaces/:slug/items'],
  getItem: ['GET', '/workspaces/:slug/items/:id'],
  searchPurchases: ['POST', '/workspaces/:slug/purchases/search'],
  getPurchase: ['POST', '/workspaces/:slug/purchases/detail'],
  setPurchaseState: ['POST', '/workspaces/:slug/purchases/state'],
  exportPurchases: ['POST', '/workspaces/:slug/purchases/export'],
  check: ['POST', '/workspaces/:slug/check'],
  getOverview: ['GET', '/workspaces/:slug/overview'],
}
