import { hash } from 'node:crypto'
import type { Shape } from '@saleproof/schema'
import type { KeyVault } from '../../../crypto/key-vault.ts'
import type { ResolverSettings } from '../../../db/database.ts'
import { isUnavailable } from '../../../db/unavailable.ts'
import type { KeyHolder, RefusedKey } from '../../../domain/api-keys.ts'
import { createCache } from '../cache.ts'
import { encodeList } from '../lists.ts'
import type { PlainRequest } from '../request.ts'
import type { Found, Resolver } from '../resolver.ts'
import { type Answer, purchaseJson } from '../responses.ts'
import { accountJson, type ItemRow, itemJson, itemSummaryJson } from '../rows.ts'
import { createPostgresLists } from './lists.ts'
import type { Pipeline } from './pipeline.ts'
import {
  accountOf,
  afterHolder,
  afterReduced,
  catalogueAt,
  catalogueItemAt,
  guardedTexts,
  holderOf,
  itemOf,
  plainTexts,
  purchaseOf,
  reducedOf,
  rowsOfPrimary,
  type Texts,
} from './queries.ts'
import type { RawRow } from './raw-query.ts'
import type { Replicas } from './replicas.ts'

interface PostgresResolver extends ResolverSettings {
  /** For what is answered in no time, and for lists, which may be long: nobody shall wait behind one. */
  pipelines: { short: Pipeline; lists: Pipeline }
  /** Whether PgBouncer gives each question any connection, to any server: none keeps statements, and each says who answers. */
  pgbouncer: boolean
  /** Copies that items are asked of, once the primary has said whose key it is. */
  replicas: Replicas | undefined
  vault: KeyVault
}

const tagOf = (body: string) => hash('sha256', body, 'base64url').slice(0, 27)
const tagged = (body: string): Answer => ({
  ...{ body, length: Buffer.byteLength(body), tag: tagOf(body) },
  itemId: undefined,
})

/** Who holds the key of a row, or why it is refused. */
function holderIn(row: RawRow | undefined, now: number): KeyHolder | RefusedKey {
  if (!row) return { refusal: 'invalid_api_key', key: undefined }
  const { revoked, expiresAt, ...holder } = holderOf(row)
  if (revoked) return { refusal: 'revoked_api_key', key: holder }
  return expiresAt !== undefined && expiresAt <= now ? { refusal: 'expired_api_key', key: holder } : holder
}

function account(row: RawRow): Answer | undefined {
  const found = accountOf(row)
  return found && tagged(`{"status":"success","data":${accountJson(found)}}`)
}

function item(row: RawRow, shape: Shape, from = afterHolder): Answer | 'item_not_found' {
  const found = itemOf(row, from)
  return found ? tagged(`{"status":"success","item":${itemJson(found, shape)}}`) : 'item_not_found'
}

/** The item inside a purchase. The statement chose the shape as this does. */
function itemInPurchase(row: RawRow, itemId: number, shape: Shape) {
  if (shape === 'base') {
    const reduced = reducedOf(row, itemId)
    return reduced && { json: itemSummaryJson(reduced as ItemRow), support: false }
  }
  const extended = itemOf(row, afterReduced)
  return extended && { json: itemJson(extended, 'extended'), support: extended.support === 1 }
}

function purchase(row: RawRow, shape: Shape) {
  const found = purchaseOf(row)
  if (!found) return 'purchase_not_found' as const
  if (found.state !== 'active') return 'purchase_not_active' as const
  const inside = itemInPurchase(row, found.itemId, shape)
  if (!inside) return undefined
  const body = purchaseJson(found, inside, shape)
  return { body, length: Buffer.byteLength(body), tag: '', itemId: found.itemId }
}

interface ItemAsked {
  itemId: number
  shape: Shape
}

/** The operations whose answer is in one row. */
const inOneRow = {
  getAccount: account,
  getItem: (row: RawRow, shape: Shape) => item(row, shape),
  validatePurchase: purchase,
}

/**
 * Finds the answers to plain requests in PostgreSQL: one statement for each, so that what any instance has committed is what the next
 * request on any other one gets.
 */
export function createPostgresResolver(options: PostgresResolver): Resolver {
  const { pipelines, pgbouncer, replicas, vault, defaultShape, now, onError } = options
  const texts = pgbouncer ? guardedTexts : plainTexts
  const lists = createPostgresLists()
  const holders = createCache<KeyHolder>({ entries: 10_000 })
  let reads = 0

  async function ask(pipeline: Pipeline, name: keyof Texts, values: readonly (string | null)[]) {
    reads++
    const rows = await pipeline.ask({ name: pgbouncer ? undefined : name, text: texts[name], values })
    return pgbouncer ? rowsOfPrimary(rows) : rows
  }

  function askReplica(name: 'list' | 'itemOfCatalogue', values: readonly string[], catalogue: string) {
    reads++
    return replicas?.ask({ name, text: plainTexts[name], values }, catalogue)
  }

  /** A refusal, or what is to be done for who holds the key. */
  function allow<T>(
    row: RawRow | undefined,
    { operation }: PlainRequest,
    act: (row: RawRow, holder: KeyHolder) => T,
  ): T | Found | undefined {
    const holder = holderIn(row, now())
    if ('refusal' in holder) return { answer: holder.refusal, holder: undefined, refused: holder.key }
    // The routes say what is the matter.
    if (holder.publishable && !operation.publishable) return undefined
    return act(row!, holder)
  }

  function rowFor({ operation, itemId, code, shape }: PlainRequest, keyHash: string) {
    switch (operation.name) {
      case 'getItem':
        return ask(pipelines.short, 'item', [keyHash, String(itemId)])
      case 'validatePurchase':
        return ask(pipelines.short, 'purchase', [keyHash, code, shape ?? null, defaultShape])
      default:
        return ask(pipelines.short, 'account', [keyHash])
    }
  }

  async function findOne(request: PlainRequest, keyHash: string, name: keyof typeof inOneRow) {
    const [row] = await rowFor(request, keyHash)
    return allow(row, request, (found, holder): Found | undefined => {
      const answer = inOneRow[name](found, request.shape ?? holder.shape ?? defaultShape)
      return answer && { answer, holder }
    })
  }

  /** Where the list of a key is kept, as far as it is known before the database has said whose key it is. */
  const placeOf = ({ workspaceId, shape }: KeyHolder, asked: Shape | undefined) => ({
    workspaceId,
    shape: asked ?? shape ?? defaultShape,
  })

  async function findList(request: PlainRequest, keyHash: string, known: string): Promise<Found | undefined> {
    const rows = await ask(pipelines.lists, 'list', [keyHash, known])
    return allow(rows[0], request, async (row, holder): Promise<Found | undefined> => {
      holders.set(keyHash, holder)
      const place = placeOf(holder, request.shape)
      if (!lists.isKnown(row, known)) {
        const read = await lists.read(rows, place)
        return read && { answer: read, holder }
      }
      const answer = lists.kept(place, known)
      return answer ? { answer, holder } : findList(request, keyHash, lists.known(undefined))
    })
  }

  async function listFromReplica(keyHash: string, catalogue: string, place: ReturnType<typeof placeOf>) {
    const kept = lists.kept(place, catalogue)
    if (kept) return kept
    const rows = await askReplica('list', [keyHash, lists.known(undefined)], catalogue)
    return rows && lists.read(rows, place)
  }

  async function itemFromReplica(keyHash: string, catalogue: string, { itemId, shape }: ItemAsked) {
    const rows = await askReplica('itemOfCatalogue', [keyHash, String(itemId)], catalogue)
    return rows && item(rows[0]!, shape, catalogueItemAt)
  }

  /** Items of a copy that has what the primary has now; undefined where there is none. */
  async function findInReplica(request: PlainRequest, keyHash: string): Promise<Found | undefined> {
    const [row] = await ask(pipelines.short, 'head', [keyHash])
    return allow(row, request, async (head, holder): Promise<Found | undefined> => {
      const catalogue = head[catalogueAt]
      if (catalogue == null) return undefined
      const place = placeOf(holder, request.shape)
      const answer = await (request.operation.name === 'listItems'
        ? listFromReplica(keyHash, catalogue, place)
        : itemFromReplica(keyHash, catalogue, { itemId: request.itemId, shape: place.shape }))
      return answer && { answer, holder }
    })
  }

  function findInPrimary(request: PlainRequest, keyHash: string): Promise<Found | undefined> {
    const { name } = request.operation
    if (name !== 'listItems') return findOne(request, keyHash, name)
    const holder = holders.get(keyHash)
    return findList(request, keyHash, lists.known(holder && placeOf(holder, request.shape)))
  }

  async function findIn(request: PlainRequest): Promise<Found | undefined> {
    const keyHash = vault.hash(request.key)
    const isOfItems = request.operation.name === 'listItems' || request.operation.name === 'getItem'
    const found = replicas && isOfItems ? await findInReplica(request, keyHash) : undefined
    return found ?? findInPrimary(request, keyHash)
  }

  return {
    find: (request) =>
      findIn(request).catch((error): Found | undefined => {
        // A fault of ours is none of the database: the routes say so.
        if (!isUnavailable(error)) return undefined
        onError(error)
        return { answer: 'unavailable', holder: undefined }
      }),
    encode: encodeList,
    figures: () => ({ reads, caches: lists.figures() }),
    close() {
      void pipelines.short.close()
      void pipelines.lists.close()
      void replicas?.close()
    },
  }
}
