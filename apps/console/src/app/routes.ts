import { lazyWithPreload } from '../ui/lazy-with-preload.tsx'
import { LoadingPage } from '../ui/loading.tsx'
import { type PageName, pageAt } from './pages.ts'

/** What is shown at each path. The home page only leads on. */
export const routes = {
  account: lazyWithPreload(() => import('../pages/account/account-page.tsx'), LoadingPage),
  newWorkspace: lazyWithPreload(() => import('../pages/new-workspace/new-workspace-page.tsx'), LoadingPage),
  overview: lazyWithPreload(() => import('../pages/overview/overview-page.tsx'), LoadingPage),
  items: lazyWithPreload(() => import('../pages/items/items-page.tsx'), LoadingPage),
  item: lazyWithPreload(() => import('../pages/items/item-page.tsx'), LoadingPage),
  purchases: lazyWithPreload(() => import('../pages/purchases/purchases-page.tsx'), LoadingPage),
  check: lazyWithPreload(() => import('../pages/check/check-page.tsx'), LoadingPage),
  apiAccess: lazyWithPreload(() => import('../pages/api-access/api-access-page.tsx'), LoadingPage),
  settings: lazyWithPreload(() => import('../pages/workspace/workspace-page.tsx'), LoadingPage),
  more: lazyWithPreload(() => import('../pages/more/more-page.tsx'), LoadingPage),
} satisfies Record<Exclude<PageName, 'home'>, unknown>

/** Loads the page of a path before it is shown. Where that fails, showing it says so. */
export function prepare(path: string): void {
  const name = pageAt(path)
  if (name && name !== 'home') routes[name].find().catch(() => {})
}
