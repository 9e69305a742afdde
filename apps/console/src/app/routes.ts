import type { ComponentType } from 'react'
import { lazyWithPreload } from '../ui/lazy-with-preload.tsx'
import { PageSkeleton, SplashScreen } from '../ui/loading.tsx'
import { findPage, type PagePath, pageModules } from './page-modules.ts'
import { paths } from './pages.ts'

/** The pages, by path. */
export const pages = Object.fromEntries(
  Object.entries(pageModules).map(([path, load]) => {
    const page: () => Promise<{ default: ComponentType }> = load
    return [path, lazyWithPreload(page, path === paths.reset ? SplashScreen : PageSkeleton)]
  }),
) as Record<PagePath, ReturnType<typeof lazyWithPreload>>

/** Shown in place of any page. */
export const SignInPage = lazyWithPreload(() => import('../pages/sign-in/sign-in-page.tsx'), SplashScreen)

/** Loads the page at an address before it is shown. If that fails, opening the page shows the error. */
export function preloadPage(address: string): void {
  const path = findPage(address)
  if (path) pages[path].preload().catch(() => {})
}
