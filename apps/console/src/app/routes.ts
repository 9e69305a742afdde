import { lazyWithPreload } from '../ui/lazy-with-preload.tsx'
import { PageSkeleton, SplashScreen } from '../ui/loading.tsx'
import { paths } from './pages.ts'

type Path = (typeof paths)[keyof typeof paths]
type WorkspacePath = Extract<Path, `/w/${string}`>

const lazyPage = (load: Parameters<typeof lazyWithPreload>[0]) => lazyWithPreload(load, PageSkeleton)

/** The pages of a workspace, by path. */
export const workspaceRoutes = {
  [paths.overview]: lazyPage(() => import('../pages/overview/overview-page.tsx')),
  [paths.items]: lazyPage(() => import('../pages/items/items-page.tsx')),
  [paths.item]: lazyPage(() => import('../pages/items/item-page.tsx')),
  [paths.newItem]: lazyPage(async () => ({
    default: (await import('../pages/items/item-form-page.tsx')).NewItemPage,
  })),
  [paths.editItem]: lazyPage(async () => ({
    default: (await import('../pages/items/item-form-page.tsx')).EditItemPage,
  })),
  [paths.importRecords]: lazyPage(() => import('../pages/import/import-page.tsx')),
  [paths.purchases]: lazyPage(() => import('../pages/purchases/purchases-page.tsx')),
  [paths.check]: lazyPage(() => import('../pages/check/check-page.tsx')),
  [paths.apiAccess]: lazyPage(() => import('../pages/api-access/api-access-page.tsx')),
  [paths.passes]: lazyPage(() => import('../pages/passes/passes-page.tsx')),
  [paths.settings]: lazyPage(() => import('../pages/workspace/workspace-page.tsx')),
  [paths.activity]: lazyPage(() => import('../pages/activity/activity-page.tsx')),
  [paths.more]: lazyPage(() => import('../pages/more/more-page.tsx')),
} satisfies Record<WorkspacePath, unknown>

/** The pages that need no session. */
export const SignInPage = lazyWithPreload(() => import('../pages/sign-in/sign-in-page.tsx'), SplashScreen)
export const ResetPage = lazyWithPreload(() => import('../pages/reset/reset-page.tsx'), SplashScreen)

/** The pages that belong to the account. The home page only redirects. */
export const accountRoutes = {
  [paths.account]: lazyPage(() => import('../pages/account/account-page.tsx')),
  [paths.newWorkspace]: lazyPage(() => import('../pages/new-workspace/new-workspace-page.tsx')),
} satisfies Record<Exclude<Path, WorkspacePath | typeof paths.home | typeof paths.reset>, unknown>

const pages = Object.entries({ ...accountRoutes, ...workspaceRoutes, [paths.reset]: ResetPage }).map(
  ([path, page]) => ({
    page,
    pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
  }),
)

/** Loads the page at a path before it is shown. If that fails, opening the page shows the error. */
export function preloadPage(path: string): void {
  const match = pages.find(({ pattern }) => pattern.test(path))
  match?.page.preload().catch(() => {})
}
