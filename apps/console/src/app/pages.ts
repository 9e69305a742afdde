/** The path of every page, relative to the console. The service serves the console at these paths only. */
export const paths = {
  home: '/',
  account: '/account',
  newWorkspace: '/new-workspace',
  /** A link to reset a password leads here. Its token is in the fragment, which browsers send to no server. */
  reset: '/reset',
  overview: '/w/:workspace',
  items: '/w/:workspace/items',
  item: '/w/:workspace/items/:item',
  newItem: '/w/:workspace/new-item',
  editItem: '/w/:workspace/items/:item/edit',
  importRecords: '/w/:workspace/import',
  purchases: '/w/:workspace/purchases',
  check: '/w/:workspace/check',
  apiAccess: '/w/:workspace/settings/api-access',
  passes: '/w/:workspace/settings/passes',
  workspace: '/w/:workspace/settings/workspace',
  activity: '/w/:workspace/settings/activity',
  more: '/w/:workspace/more',
} as const

type Parameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameters<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** The path of a page with its parameters filled in. */
export const pathTo = <Path extends string>(path: Path, values: Readonly<Record<Parameters<Path>, string>>) =>
  path.replace(/:(\w+)/g, (_, name: Parameters<Path>) => encodeURIComponent(values[name]))
