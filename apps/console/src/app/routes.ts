import { lazyWithPreload } from '../ui/lazy-with-preload.tsx'
import { PageSkeleton } from '../ui/loading.tsx'
import { type PageName, pageAt } from './pages.ts'

/** What is shown at each path. The home page only leads on. */
export const routes = {
  account: lazyWithPreload(() => import('../pages/account/account-page.tsx'), PageSkeleton),
  newWorkspace: lazyWithPreload(() => import('../pages/new-workspace/new-workspace-page.tsx'), PageSkeleton),
  overview: lazyWithPreload(() => import('../pages/overview/overview-page.tsx'), PageSkeleton),
  items: lazyWithPreload(() => import('../pages/items/items-page.tsx'), PageSkeleton),
  item: lazyWithPreload(() => import('../pages/items/item-page.tsx'), PageSkeleton),
  purchases: lazyWithPreload(() => import('../pages/purchases/purchases-page.tsx'), PageSkeleton),
  check: lazyWithPreload(() => import('../pages/check/check-page.tsx'), PageSkeleton),
  apiAccess: lazyWithPreload(() => import('../pages/api-access/api-access-page.tsx'), PageSkeleton),
  settings: lazyWithPreload(() => import('../pages/workspace/workspace-page.tsx'), PageSkeleton),
  more: lazyWithPreload(() => import('../pages/more/more-page.tsx'), PageSkeleton),
} satisfies Record<Exclude<PageName, 'home'>, unknown>

/** Loads the page of a path before it is shown. Where that fails, showing it says so. */
export function preloadPage(path: string): void {
  const name = pageAt(path)
  if (name && name !== 'home') routes[name].find().catch(() => {})
}
