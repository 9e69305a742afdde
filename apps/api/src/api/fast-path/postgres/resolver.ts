import { setImmediate as afterOthers } from 'node:timers/promises'
import type { OperationName, Shape } from '@saleproof/schema'
import type { KeyVault } from '../../../crypto/key-vault.ts'
import { DatabaseError } from '../../../db/errors.ts'
import { type AskOperations, failureState, probeWithinMs } from '../../../db/health.ts'
import { type ActiveKey, mayUse, resolveKey } from '../../../domain/api-keys.ts'
import type { ResolverSettings } from '../../../open-database.ts'
import { withTimeout } from '../../../with-timeout.ts'
import { createCache } from '../cache.ts'
import { createList, type List, listBytes, listName, sizeOfList } from '../lists.ts'
import type { CompleteRequest } from '../request.ts'
import type { Resolution, Resolver } from '../resolver.ts'
import { accountBody, createBody, itemViews, purchaseBody } from '../responses.ts'
import { type ItemRow, itemJson, listHead, listTail } from '../rows.ts'
import type { RawRow } from './driver-internals.ts'
import type { Pipeline } from './pipeline.ts'
import { readKey, rowsOfPrimary, statements } from './queries.ts'

interface PostgresResolverOptions extends ResolverSettings {
  /** Lists, which may be long, have connections of their own: no short query waits behind one. */
  pipelines: { short: Pipeline; lists: Pipeline }
  /** Whether PgBouncer gives each query any connection, to any server: none keeps statements, and each names the server that answers. */
  pgbouncer: boolean
  vault: Pick<KeyVault, 'hash'>
}

/** How many items of a list are written before other requests get a turn. */
const listBatch = 200

type Response = Resolution['response']

const item = (found: ItemRow | undefined, shape: Shape): Response =>
  found ? createBody(`{"status":"success","item":${itemJson[shape](found)}}`) : 'item_not_found'

function purchase(row: RawRow, shape: Shape): Response | undefined {
  // The statement that asks for a signing key as well begins with the same columns.
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
  getAccount: {
    statement: 'account',
    values: () => [],
    read: (row) => accountBody(statements.account.read.account(row)),
  },
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

/** Parameters for a nonexistent key. The server locks the same tables for it as for any other. */
const probe = { api_key: '', item_id: 0, purchase_code: '', shape: undefined, pass: undefined }

/**
 * Resolves requests from PostgreSQL: one statement for each, so that what any instance has committed is what the next request to any
 * other one gets.
 */
export function createPostgresResolver(options: PostgresResolverOptions): Resolver {
  const { pipelines, pgbouncer, vault, defaultShape, now, openSigner, onError } = options
  const start = pgbouncer ? 'guarded' : 'plain'
  const lists = createCache<List>(listBytes, sizeOfList)
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

  /** Resolves the key of a row, and with it the request. */
  async function resolve(
    row: RawRow | undefined,
    { operation, parameters }: CompleteRequest,
    read: (row: RawRow, shape: Shape, key: ActiveKey) => Response | undefined | Promise<Response | undefined>,
  ): Promise<Resolution | undefined> {
    const key = resolveKey(row && readKey(row), now())
    if ('error' in key) return { response: key.error, key: undefined, refusedKey: key.key }
    if (!row || !mayUse(key, operation)) return undefined
    const response = await read(row, parameters.shape ?? key.shape ?? defaultShape, key)
    return response && { response, key }
  }

  async function findOne(request: CompleteRequest, keyHash: string, { statement, values, read }: Reader) {
    const given = [keyHash, ...values(request.parameters, defaultShape)]
    const asked = request.operation.passes && request.parameters.pass?.join(',')
    const [name, parameters] = asked ? (['passedPurchase', [...given, asked]] as const) : [statement, given]
    const [row] = await query(pipelines.short, name, parameters)
    const resolution = await resolve(row, request, read)
    const stored = asked && row && statements.passedPurchase.read.signingKey(row)
    if (stored && typeof resolution?.response === 'object') resolution.signer = openSigner(stored)
    return resolution
  }

  async function findList(request: CompleteRequest, keyHash: string) {
    const rows = await query(pipelines.lists, 'list', [keyHash])
    return resolve(rows[0], request, (_, shape, { workspaceId }) =>
      readList(rows, listName(workspaceId, shape), shape),
    )
  }

  /** Makes the response that lists the items of rows; undefined where there are none. */
  async function readList(rows: readonly RawRow[], name: string, shape: Shape) {
    const { read } = statements.list
    // Joined as texts they would take four times as long.
    const pieces: Buffer[] = []
    for (const row of rows) {
      const found = read.item(row)
      if (!found) continue
      pieces.push(Buffer.from((pieces.length ? ',' : listHead) + itemJson[shape](found)))
      if (pieces.length % listBatch === 0) await afterOthers()
    }
    const catalogue = rows[0] && read.catalogue(rows[0])
    if (pieces.length === 0 || catalogue == null) return undefined
    const list = createList(Buffer.concat([...pieces, Buffer.from(listTail)]), Number(catalogue))
    lists.set(name, list)
    return list
  }

  /** The list that was kept, if it is of the catalogue that the database has now. */
  async function findKeptList(request: CompleteRequest, keyHash: string) {
    const [row] = await query(pipelines.short, 'head', [keyHash])
    return resolve(row, request, (head, shape, { workspaceId }) => {
      const kept = lists.get(listName(workspaceId, shape))
      return String(kept?.catalogue) === statements.head.read.catalogue(head) ? kept : undefined
    })
  }

  async function find(request: CompleteRequest): Promise<Resolution | undefined> {
    const { name } = request.operation
    const keyHash = vault.hash(request.parameters.api_key)
    if (name === 'listItems') return (await findKeptList(request, keyHash)) ?? findList(request, keyHash)
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
      response: query(pipelines.lists, 'list', ['']),
    })
    const states = asked.map(async ({ name, response }) => {
      const state = await withTimeout(response, probeWithinMs).then(() => 'ok' as const, failureState)
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
    reads: () => reads,
    close() {
      void pipelines.short.close()
      void pipelines.lists.close()
    },
  }
}
