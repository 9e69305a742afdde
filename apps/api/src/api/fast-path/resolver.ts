import type { ErrorCode, OperationName, Shape } from '@saleproof/schema'
import type { KeyVault } from '../../crypto/key-vault.ts'
import { DatabaseError } from '../../db/errors.ts'
import type { AskOperations } from '../../db/health.ts'
import type { DatabaseFileMonitor } from '../../db/sqlite/database-file-monitor.ts'
import { databaseFileLost, fromSqlite } from '../../db/sqlite/errors.ts'
import { type ActiveKey, isSecret, mayUse, type RefusedKey } from '../../domain/api-keys.ts'
import type { ResolverSettings } from '../../open-database.ts'
import type { PassSigner } from '../passes.ts'
import { type CachedKey, createKeys } from './keys.ts'
import { createLists, type List } from './lists.ts'
import type { CompleteRequest } from './request.ts'
import { createResponses, type SuccessBody } from './responses.ts'
import { prepareStatements } from './statements.ts'

interface SqliteResolverOptions extends ResolverSettings {
  databaseFile: string
  /** A descriptor of the index of the database's log, once something was read. */
  logIndex: () => number | undefined
  /** Without one nothing is known of what other programs do to the file. */
  monitor: Pick<DatabaseFileMonitor, 'isUsable' | 'isCurrent'> | undefined
  vault: Pick<KeyVault, 'hash'>
}

/** What to send for a request, and whose it is. */
export interface Resolution {
  response: SuccessBody | List | ErrorCode
  key: ActiveKey | undefined
  /** The stored key of a request that was rejected for it. */
  refusedKey?: RefusedKey | undefined
  /** Signs the pass of a success that asked for one. */
  signer?: PassSigner | undefined
  /** Whether the database had named a secret key before it failed. */
  failedForSecret?: boolean
}

/** Whether the key of a request is known to be secret. */
export const isKeySecret = ({ key, refusedKey, failedForSecret }: Resolution) =>
  failedForSecret ?? isSecret(key ?? refusedKey)

export interface Resolver {
  /** Undefined where the routes have to respond: to what it does not implement, and whenever the database does not answer. */
  find: (request: CompleteRequest) => Resolution | undefined | Promise<Resolution | undefined>
  /** Whether each operation gets responses; undefined where that is what the file's monitor says. */
  ask?: AskOperations
  /** How many reads there were. */
  reads: () => number
  close: () => void
}

/** The operations that the fast path implements; the routes implement all. */
type Readers = {
  [Name in OperationName]?: (
    key: CachedKey,
    shape: Shape,
    parameters: CompleteRequest['parameters'],
  ) => Resolution['response'] | undefined
}

/** A commit of another connection between two reads makes them start again; after so many times the routes respond. */
const maxAttempts = 4

/** Resolves requests from one state of an SQLite database. */
export function createResolver(options: SqliteResolverOptions): Resolver {
  const { databaseFile, logIndex, monitor, vault, defaultShape, now, openSigner, onError } = options
  const statements = prepareStatements(databaseFile, logIndex)
  const responses = createResponses({ statements })
  const lists = createLists({ statements })
  const keys = createKeys(statements, vault, now)

  const readers: Readers = {
    getAccount: responses.account,
    listItems: lists.list,
    getItem: (key, shape, { item_id: id }) => responses.item(key, id, shape),
    validatePurchase: (key, shape, { purchase_code: code }) => responses.purchase(key, code, shape),
  }

  /** The key of the request that is being read, once it is known. */
  let resolved: RefusedKey | undefined

  /** The newest of the keys that a request names. */
  function findSigner(key: CachedKey, ids: readonly string[]): PassSigner | undefined {
    key.signingKeys ??= statements.signingKeys.all(key.workspaceId)
    const stored = key.signingKeys.find(({ id }) => ids.includes(id))
    return stored && openSigner({ ...stored, slug: key.slug, passHours: key.passHours })
  }

  function findAt(version: number, { operation, parameters }: CompleteRequest): Resolution | undefined {
    const key = keys.resolve(parameters.api_key, version)
    resolved = 'error' in key ? key.key : key
    if ('error' in key) return { response: key.error, key: undefined, refusedKey: key.key }
    if (!mayUse(key, operation)) return undefined
    const shape = parameters.shape ?? key.shape ?? defaultShape
    const response = readers[operation.name]?.(key, shape, parameters)
    const asked = typeof response === 'object' && operation.passes && parameters.pass
    return response && { response, key, signer: asked ? findSigner(key, asked) : undefined }
  }

  function unavailable(error: DatabaseError): Resolution {
    onError(error)
    return { response: 'unavailable', key: undefined, failedForSecret: isSecret(resolved) }
  }

  return {
    find(request) {
      resolved = undefined
      if (monitor && !monitor.isUsable()) return unavailable(databaseFileLost())
      try {
        for (let attempt = 0; attempt < maxAttempts; attempt++) {
          const version = statements.version()
          const [reads, snapshots] = [statements.reads(), statements.snapshots()]
          const resolution = findAt(version, request)
          if (statements.reads() !== reads && monitor?.isCurrent() === false)
            return unavailable(databaseFileLost())
          // A snapshot that was open before is of this version; a new one may be of a later one.
          if (statements.snapshots() === snapshots || statements.version() === version) return resolution
        }
      } catch (thrown) {
        statements.release()
        const error = fromSqlite(thrown)
        // The time for a lock is used up. The routes meet and report any other error themselves.
        if (!(error instanceof DatabaseError) || error.kind !== 'busy') return undefined
        return unavailable(error)
      }
      return undefined
    },
    reads: statements.reads,
    close: statements.close,
  }
}
