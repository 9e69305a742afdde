import { LoadingPage } from '../ui/loading.tsx'
import { part } from '../ui/part.tsx'
import { type PageName, pageAt } from './pages.ts'

/** What is shown at each path. The home page only leads on. */
export const routes = {
  account: part(() => import('../pages/account/account-page.tsx'), LoadingPage),
  newWorkspace: part(() => import('../pages/new-workspace/new-workspace-page.tsx'), LoadingPage),
  overview: part(() => import('../pages/overview/overview-page.tsx'), LoadingPage),
  items: part(() => import('../pages/items/items-page.tsx'), LoadingPage),
  item: part(() => import('../pages/items/item-page.tsx'), LoadingPage),
  purchases: part(() => import('../pages/purchases/purchases-page.tsx'), LoadingPage),
  check: part(() => import('../pages/check/check-page.tsx'), LoadingPage),
  apiAccess: part(() => import('../pages/api-access/api-access-page.tsx'), LoadingPage),
  settings: part(() => import('../pages/workspace/workspace-page.tsx'), LoadingPage),
  more: part(() => import('../pages/more/more-page.tsx'), LoadingPage),
} satisfies Record<Exclude<PageName, 'home'>, unknown>

/** Loads the page of a path before it is shown. Where that fails, showing it says so. */
export function prepare(path: string): void {
  const name = pageAt(path)
  if (name && name !== 'home') routes[name].find().catch(() => {})
}
