import type { DataSet } from '../data/data-sets.ts'
import {
  createUnknownCode,
  isActive,
  itemIdAt,
  itemOfPurchase,
  purchaseCode,
  unknownKey,
  workspaceKey,
  workspaceOfItem,
} from '../data/records.ts'
import { createRandom, shuffle } from '../statistics.ts'

/** A line of the table: the requests that are sent over and over. */
export interface Scenario {
  name: string
  /** The status that every response must have. */
  status: number
  /** `signingKey` is the id of a signing key of the first workspace. */
  requests: (dataSet: DataSet, signingKey: string) => string[]
  /** The default is that of the settings. */
  connections?: number
}

const maxRequests = 200_000
const unknownCount = 20_000
const key = workspaceKey(0)
const keyOfItem = (dataSet: DataSet, item: number) => workspaceKey(workspaceOfItem(dataSet, item))

/** The text of a request. */
export const get = (path: string, apiKey = key) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`

export function validation(code: string, apiKey = key) {
  const body = JSON.stringify({ purchase_code: code })
  const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  return `POST /api/purchases/validation HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n${headers}\r\n${body}`
}

const list = <T>(count: number, of: (index: number) => T) => Array.from({ length: count }, (_, i) => of(i))

/** Validations of codes that are valid, each with the key of its workspace, in random order. */
function validations(dataSet: DataSet): string[] {
  const active = list(dataSet.purchases, (purchase) => purchase).filter((purchase) =>
    isActive(dataSet, purchase),
  )
  return shuffle(active, createRandom(1))
    .slice(0, maxRequests)
    .map((purchase) =>
      validation(purchaseCode(purchase), keyOfItem(dataSet, itemOfPurchase(dataSet, purchase))),
    )
}

/** Every item of every workspace, in random order. */
function items(dataSet: DataSet): string[] {
  const all = shuffle(
    list(dataSet.items, (item) => item),
    createRandom(2),
  )
  return all.map((item) => get(`/api/items/item?item_id=${itemIdAt(item)}`, keyOfItem(dataSet, item)))
}

export const scenarios: readonly Scenario[] = [
  { name: 'account', status: 200, requests: () => [get('/api/account/details')] },
  { name: 'item', status: 200, requests: items },
  { name: 'validate', status: 200, requests: validations },
  {
    name: 'validate-pass',
    status: 200,
    requests: (dataSet, signingKey) =>
      validations(dataSet)
        .filter((request) => request.includes(key))
        .map((request) => request.replace('\r\n', `\r\nPrefer: pass=${signingKey}\r\n`)),
  },
  { name: 'validate-500', status: 200, requests: (dataSet) => validations(dataSet).slice(0, 500) },
  // 10,000 items are 15 MB and take a tenth of a second: more connections would only wait.
  { name: 'items-all', status: 200, requests: () => [get('/api/items/all')], connections: 4 },
  {
    name: 'unknown-key',
    status: 401,
    requests: () => list(unknownCount, (index) => get('/api/account/details', unknownKey(index))),
  },
  {
    name: 'unknown-code',
    status: 404,
    requests: () => list(unknownCount, (index) => validation(createUnknownCode(index))),
  },
]

export const scenarioNames = scenarios.map(({ name }) => name)
