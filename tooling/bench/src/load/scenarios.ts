import type { DataSet } from '../data/data-sets.ts'
import {
  codeOf,
  isActive,
  itemIdOf,
  itemOfPurchase,
  keyOf,
  unknownCodeOf,
  unknownKeyOf,
  workspaceOfItem,
} from '../data/records.ts'
import { createRandom, shuffle } from '../statistics.ts'

/** A line of the table: the requests that are sent over and over. */
export interface Scenario {
  name: string
  /** The status that every response must have. */
  status: number
  requests: (dataSet: DataSet) => string[]
  /** The default is that of the settings. */
  connections?: number
}

const maxRequests = 200_000
const unknownCount = 20_000
const key = keyOf(0)

/** The text of a request. */
export const get = (path: string, apiKey = key) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`

export function validation(code: string, apiKey = key) {
  const body = JSON.stringify({ purchase_code: code })
  const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  return `POST /api/purchases/validation HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n${headers}\r\n${body}`
}

const list = <T>(count: number, of: (index: number) => T) => Array.from({ length: count }, (_, i) => of(i))

/** Valid codes of the first workspace, in random order. */
export function activeCodes(dataSet: DataSet): string[] {
  const codes: string[] = []
  for (let purchase = 0; purchase < dataSet.purchases; purchase++) {
    const workspace = workspaceOfItem(dataSet, itemOfPurchase(dataSet, purchase))
    if (workspace === 0 && isActive(dataSet, purchase)) codes.push(codeOf(purchase))
  }
  return shuffle(codes, createRandom(1)).slice(0, maxRequests)
}

const itemIds = ({ mainItems }: DataSet) => shuffle(list(mainItems, itemIdOf), createRandom(2))

export const scenarios: readonly Scenario[] = [
  { name: 'account', status: 200, requests: () => [get('/api/account/details')] },
  {
    name: 'item',
    status: 200,
    requests: (dataSet) => itemIds(dataSet).map((id) => get(`/api/items/item?item_id=${id}`)),
  },
  {
    name: 'validate',
    status: 200,
    requests: (dataSet) => activeCodes(dataSet).map((code) => validation(code)),
  },
  {
    name: 'validate-500',
    status: 200,
    requests: (dataSet) =>
      activeCodes(dataSet)
        .slice(0, 500)
        .map((code) => validation(code)),
  },
  // 10,000 items are 15 MB and take a tenth of a second: more connections would only wait.
  { name: 'items-all', status: 200, requests: () => [get('/api/items/all')], connections: 4 },
  {
    name: 'unknown-key',
    status: 401,
    requests: () => list(unknownCount, (index) => get('/api/account/details', unknownKeyOf(index))),
  },
  {
    name: 'unknown-code',
    status: 404,
    requests: () => list(unknownCount, (index) => validation(unknownCodeOf(index))),
  },
]

export const scenarioNames = scenarios.map(({ name }) => name)
