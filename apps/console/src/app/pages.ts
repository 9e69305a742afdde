/** Every page, by its path below the console. The service shows the console at these paths and at no other. */
export const paths = {
  home: '/',
  account: '/account',
  newWorkspace: '/new-workspace',
  overview: '/w/:workspace',
  items: '/w/:workspace/items',
  item: '/w/:workspace/items/:item',
  purchases: '/w/:workspace/purchases',
  check: '/w/:workspace/check',
  apiAccess: '/w/:workspace/settings/api-access',
  settings: '/w/:workspace/settings/workspace',
  more: '/w/:workspace/more',
} as const

export type PageName = keyof typeof paths

export const pages = Object.values(paths)

const names = Object.keys(paths) as PageName[]
const shapes = names.map(
  (name) => [name, new RegExp(`^${paths[name].replace(/:\w+/g, '[^/]+')}/?$`)] as const,
)

/** The page that is shown at a path, if any is. */
export const pageAt = (path: string): PageName | undefined =>
  shapes.find(([, shape]) => shape.test(path))?.[0]

type Parameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameters<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** The path of a page with its parameters filled in. */
export const pathTo = <Path extends string>(path: Path, values: Readonly<Record<Parameters<Path>, string>>) =>
  path.replace(/:(\w+)/g, (_, name: Parameters<Path>) => encodeURIComponent(values[name]))
