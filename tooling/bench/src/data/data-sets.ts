/** The first workspace has `mainItems`; the other items are dealt out to the others in turn. */
export interface DataSet {
  name: string
  workspaces: number
  mainItems: number
  items: number
  purchases: number
  /** Between two purchases; one without it. */
  minutesApart?: number
  hasCustomers?: boolean
}

export const dataSets = {
  small: { name: 'small', workspaces: 1, mainItems: 100, items: 100, purchases: 1_000 },
  large: { name: 'large', workspaces: 50, mainItems: 10_000, items: 45_000, purchases: 1_000_000 },
} as const satisfies Record<string, DataSet>

/** One shop with everything, as its owner sees it in the console. */
export const shop: DataSet = {
  hasCustomers: true,
  name: 'shop',
  workspaces: 1,
  mainItems: 45_000,
  items: 45_000,
  purchases: 1_000_000,
}

/** What a shop sells in three years. */
export const threeYears: DataSet = {
  name: 'three-years',
  workspaces: 1,
  mainItems: 200,
  items: 200,
  purchases: 200_000,
  minutesApart: 8,
}

export type DataSetName = keyof typeof dataSets

// A constant has no keys but those of its type.
export const dataSetNames = Object.keys(dataSets) as DataSetName[]
