import { paths } from './pages.ts'

type Path = (typeof paths)[keyof typeof paths]

/** The module of each page, by its path. The home page only redirects. */
export const pageModules = {
  [paths.account]: () => import('../pages/account/account-page.tsx'),
  [paths.newWorkspace]: () => import('../pages/new-workspace/new-workspace-page.tsx'),
  [paths.reset]: () => import('../pages/reset/reset-page.tsx'),
  [paths.overview]: () => import('../pages/overview/overview-page.tsx'),
  [paths.items]: () => import('../pages/items/items-page.tsx'),
  [paths.item]: () => import('../pages/items/item-page.tsx'),
  [paths.newItem]: async () => ({
    default: (await import('../pages/items/item-form-page.tsx')).NewItemPage,
  }),
  [paths.editItem]: async () => ({
    default: (await import('../pages/items/item-form-page.tsx')).EditItemPage,
  }),
  [paths.importRecords]: () => import('../pages/import/import-page.tsx'),
  [paths.purchases]: () => import('../pages/purchases/purchases-page.tsx'),
  [paths.check]: () => import('../pages/check/check-page.tsx'),
  [paths.apiAccess]: () => import('../pages/api-access/api-access-page.tsx'),
  [paths.passes]: () => import('../pages/passes/passes-page.tsx'),
  [paths.workspace]: () => import('../pages/workspace/workspace-page.tsx'),
  [paths.activity]: () => import('../pages/activity/activity-page.tsx'),
  [paths.more]: () => import('../pages/more/more-page.tsx'),
} satisfies Record<Exclude<Path, typeof paths.home>, unknown>

export type PagePath = keyof typeof pageModules

const patterns = Object.keys(pageModules).map((path) => ({
  path: path as PagePath,
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
}))

/** The path of the page at an address of the console. */
export const findPage = (address: string) => patterns.find(({ pattern }) => pattern.test(address))?.path
