import type { OperationName, Shape } from '@saleproof/schema'
import type { KeyVault } from '../../../crypto/key-vault.ts'
import { DatabaseError } from '../../../db/errors.ts'
import { type AskOperations, probeWithinMs, stateOf } from '../../../db/health.ts'
import { type ActiveKey, mayUse, resolveKey } from '../../../domain/api-keys.ts'
import { bodyTag } from '../../../http/response.ts'
import type { ResolverSettings } from '../../../open-database.ts'
import { withTimeout } from '../../../with-timeout.ts'
import { createCache } from '../cache.ts'
import { encodeList, type List, listBytes, listName, sizeOfList } from '../lists.ts'
import type { CompleteRequest } from '../request.ts'
import type { Resolution, Resolver } from '../resolver.ts'
import { itemViews, purchaseBody, type SuccessBody } from '../responses.ts'
import { accountJson, type ItemRow, itemJson } from '../rows.ts'
import { listFrom, unknownCatalogue } from './lists.ts'
import type { Pipeline } from './pipeline.ts'
import { readKey, rowsOfPrimary, statements } from './queries.ts'
import type { RawRow } from './raw-connection.ts'
import type { Replicas } from './replicas.ts'

interface PostgresResolverOptions extends ResolverSettings {
  /** Lists, which may be long, have connections of their own: no short query waits behind one. */
  pipelines: { short: Pipeline; lists: Pipeline }
  /** Whether PgBouncer gives each query any connection, to any server: none keeps statements, and each names the server that answers. */
  pgbouncer: boolean
  /** Items are read from these once the primary has resolved the key. */
  replicas: Replicas | undefined
  vault: KeyVault
}

type Response = Resolution['response']

const cacheable = (body: string): SuccessBody => ({
  body,
  length: Buffer.byteLength(body),
  tag: bodyTag(body),
  validated: undefined,
})

function account(row: RawRow): Response | undefined {
  const found = statements.account.read.account(row)
  return found && cacheable(`{"status":"success","data":${accountJson(found)}}`)
}

const item = (found: ItemRow | undefined, shape: Shape): Response =>
  found ? cacheable(`{"status":"success","item":${itemJson[shape](found)}}`) : 'item_not_found'

function purchase(row: RawRow, shape: Shape): Response | undefined {
  const { read } = statements.purchase
  const found = read.purchase(row)
  if (!found) return 'purchase_not_found'
  if (found.state !== 'active') return 'purchase_not_active'
  // The statement has chosen the shape in the same way.
  const view = itemViews[shape]
  const inside = read[view](row)
  return inside && purchaseBody(found, { json: itemJson[view](inside), support: inside.support }, shape)
}

type StatementName = keyof typeof statements

interface Reader {
  statement: StatementName
  /** The parameters of the statement after the hash of the key. */
  values: (parameters: CompleteRequest['parameters'], defaultShape: Shape) => (string | null)[]
  read: (row: RawRow, shape: Shape) => Response | undefined
}

/** The operations whose response is in one row. Lists are read apart; the routes implement every operation. */
const readers: { [Name in OperationName]?: Reader } = {
  getAccount: { statement: 'account', values: () => [], read: account },
  getItem: {
    statement: 'item',
    values: ({ item_id: id }) => [String(id)],
    read: (row, shape) => item(statements.item.read.item(row), shape),
  },
  validatePurchase: {
    statement: 'purchase',
    values: ({ purchase_code: code, shape = null }, defaultShape) => [code, shape, defaultShape],
    read: purchase,
  },
}

/** Of a key that there is not. The server locks the same tables for it as for any other. */
const probe = { api_key: '', item_id: 0, purchase_code: '', shape: undefined }

/**
 * Resolves requests from PostgreSQL: one statement for each, so that what any instance has committed is what the next request to any
 * other one gets.
 */
export function createPostgresResolver(options: PostgresResolverOptions): Resolver {
  const { pipelines, pgbouncer, replicas, vault, defaultShape, now, onError } = options
  const start = pgbouncer ? 'guarded' : 'plain'
  const lists = createCache<List>({ bytes: listBytes, sizeOf: sizeOfList })
  /** As they were resolved last: the database resolves each request's. To hash a key takes as long as to read its row. */
  const keys = createCache<{ keyHash: string; key: ActiveKey }>({ entries: 10_000 })
  let reads = 0

  function query(
    pipeline: Pipeline,
    name: StatementName,
    values: readonly (string | null)[],
  ): Promise<readonly RawRow[]> {
    reads++
    const text = statements[name][start]
    return pgbouncer
      ? pipeline.query({ name: undefined, text, values }).then(rowsOfPrimary)
      : pipeline.query({ name, text, values })
  }

  function queryReplica(name: 'list' | 'itemOfCatalogue', values: readonly string[], catalogue: string) {
    reads++
    const { plain, read } = statements[name]
    return replicas?.ask({ name, text: plain, values }, (row) => read.catalogue(row) === catalogue)
  }

  /** Resolves the key of a row, and with it the request. */
  async function resolve(
    row: RawRow | undefined,
    { operation, parameters }: CompleteRequest,
    keyHash: string,
    read: (row: RawRow, shape: Shape, key: ActiveKey) => Response | undefined | Promise<Response | undefined>,
  ): Promise<Resolution | undefined> {
    const key = resolveKey(row && readKey(row), now())
    if ('error' in key) return { response: key.error, key: undefined, refusedKey: key.key }
    if (!row || !mayUse(key, operation)) return undefined
    keys.set(parameters.api_key, { keyHash, key })
    const response = await read(row, parameters.shape ?? key.shape ?? defaultShape, key)
    return response && { response, key }
  }

  async function findOne(request: CompleteRequest, keyHash: string, { statement, values, read }: Reader) {
    const { parameters } = request
    const [row] = await query(pipelines.short, statement, [keyHash, ...values(parameters, defaultShape)])
    return resolve(row, request, keyHash, read)
  }

  async function findList(request: CompleteRequest, keyHash: string, known: ActiveKey | undefined) {
    // Where the list is kept is known before the database has resolved the key.
    const expected =
      known && listName(known.workspaceId, request.parameters.shape ?? known.shape ?? defaultShape)
    const kept = lists.get(expected ?? '')
    const catalogue = String(kept?.catalogue ?? unknownCatalogue)
    const rows = await query(pipelines.lists, 'list', [keyHash, catalogue])
    return resolve(rows[0], request, keyHash, (row, shape, { workspaceId }) => {
      const name = listName(workspaceId, shape)
      if (statements.list.read.catalogue(row) !== catalogue) return readList(rows, name, shape)
      // Of a workspace whose shape has changed another list was known: the routes respond once.
      return name === expected ? kept : undefined
    })
  }

  async function readList(rows: readonly RawRow[], name: string, shape: Shape) {
    const list = await listFrom(rows, shape)
    if (list) lists.set(name, list)
    return list
  }

  async function listFromReplica(keyHash: string, catalogue: string, name: string, shape: Shape) {
    const kept = lists.get(name)
    if (kept && String(kept.catalogue) === catalogue) return kept
    const rows = await queryReplica('list', [keyHash, String(unknownCatalogue)], catalogue)
    return rows && readList(rows, name, shape)
  }

  async function itemFromReplica(keyHash: string, catalogue: string, id: number, shape: Shape) {
    const rows = await queryReplica('itemOfCatalogue', [keyHash, String(id)], catalogue)
    return rows?.[0] && item(statements.itemOfCatalogue.read.item(rows[0]), shape)
  }

  /** Items of a replica that has the catalogue of the primary; undefined where there is none. */
  async function findInReplica(request: CompleteRequest, keyHash: string) {
    const [row] = await query(pipelines.short, 'head', [keyHash])
    return resolve(row, request, keyHash, (head, shape, { workspaceId }) => {
      const catalogue = statements.head.read.catalogue(head)
      if (catalogue == null) return undefined
      return request.operation.name === 'listItems'
        ? listFromReplica(keyHash, catalogue, listName(workspaceId, shape), shape)
        : itemFromReplica(keyHash, catalogue, request.parameters.item_id, shape)
    })
  }

  async function find(request: CompleteRequest): Promise<Resolution | undefined> {
    const { name } = request.operation
    const { api_key: apiKey } = request.parameters
    const known = keys.get(apiKey)
    const keyHash = known?.keyHash ?? vault.hash(apiKey)
    const isOfItems = name === 'listItems' || name === 'getItem'
    const found = replicas && isOfItems ? await findInReplica(request, keyHash) : undefined
    if (found) return found
    if (name === 'listItems') return findList(request, keyHash, known?.key)
    const reader = readers[name]
    return reader && findOne(request, keyHash, reader)
  }

  const ask: AskOperations = async () => {
    const asked = Object.entries(readers).map(([name, { statement, values }]) => ({
      name,
      response: query(pipelines.short, statement, ['', ...values(probe, defaultShape)]),
    }))
    asked.push({
      name: 'listItems',
      response: query(pipelines.lists, 'list', ['', String(unknownCatalogue)]),
    })
    const states = asked.map(async ({ name, response }) => {
      const state = await withTimeout(response, probeWithinMs).then(() => 'ok' as const, stateOf)
      return [name, state] as const
    })
    return Object.fromEntries(await Promise.all(states))
  }

  return {
    ask,
    find: (request) =>
      find(request).catch((error): Resolution | undefined => {
        // The routes report any other error.
        if (!(error instanceof DatabaseError)) return undefined
        onError(error)
        return { response: 'unavailable', key: undefined }
      }),
    encode: encodeList,
    stats: () => ({ reads, caches: { lists: lists.stats() } }),
    close() {
      void pipelines.short.close()
      void pipelines.lists.close()
      void replicas?.close()
    },
  }
}
