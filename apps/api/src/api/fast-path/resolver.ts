import type { ErrorCode, Shape } from '@saleproof/schema'
import type { KeyVault } from '../../crypto/key-vault.ts'
import type { KeyHolder, KnownKey } from '../../domain/api-keys.ts'
import type { Encoding } from '../../http/response.ts'
import type { CacheFigures } from './cache.ts'
import { createLists, type List } from './lists.ts'
import type { PlainRequest } from './request.ts'
import { type Answer, createAnswers } from './responses.ts'
import { prepareStatements } from './statements.ts'
import { createWorkspaces, type Workspace } from './workspaces.ts'

interface ResolverOptions {
  databaseFile: string
  /** A descriptor of the index of the database's log, once something was read. */
  logIndex: () => number | undefined
  vault: KeyVault
  defaultShape: Shape
  now: () => number
  /** Told of each error of the database that the routes will not meet. */
  onError: (error: unknown) => void
}

/** What a request is answered with, and who asked, where the key is one that may. */
export interface Found {
  answer: Answer | List | ErrorCode
  holder: KeyHolder | undefined
  /** Whose key it is that may do nothing. */
  refused?: KnownKey | undefined
}

/** What the fast path asks. */
export interface Resolver {
  /** The answer; undefined where it is for the routes to say what is the matter, and whenever the database does not answer. */
  find: (request: PlainRequest) => Found | undefined | Promise<Found | undefined>
  encode: (list: List, encoding: Encoding) => Promise<Buffer> | Buffer
  /** What is kept, and how many reads there were. */
  figures: () => { reads: number; caches: Readonly<Record<string, CacheFigures>> }
  close: () => void
}

/** An SQLite file is asked at once. */
export interface SqliteResolver extends Resolver {
  find: (request: PlainRequest) => Found | undefined
}

/** A commit of another connection between two reads makes them start again; after so many times the routes answer. */
const tries = 4

const isBusy = (error: unknown) =>
  String((error as { code?: unknown } | null)?.code).startsWith('SQLITE_BUSY')

/** Finds the answer to a plain request, as of one state of the database. */
export function createResolver({
  databaseFile,
  logIndex,
  vault,
  defaultShape,
  now,
  onError,
}: ResolverOptions): SqliteResolver {
  const statements = prepareStatements(databaseFile, logIndex)
  const answers = createAnswers({ statements })
  const lists = createLists({ statements })
  const workspaces = createWorkspaces({ statements, vault, now, onItemsChanged: answers.forgetItems })

  function read(
    { operation, itemId, code, shape: asked }: PlainRequest,
    holder: KeyHolder,
    workspace: Workspace,
  ) {
    const shape = asked ?? holder.shape ?? defaultShape
    switch (operation.name) {
      case 'getAccount':
        return answers.account(workspace)
      case 'listItems':
        return lists.list(workspace, shape)
      case 'getItem':
        return answers.item(workspace, itemId, shape)
      case 'validatePurchase':
        return answers.purchase(workspace, holder, code, shape)
    }
  }

  function find(request: PlainRequest, version: number): Found | undefined {
    const known = workspaces.resolve(request.key, version)
    if ('refusal' in known) return { answer: known.refusal, holder: undefined, refused: known.key }
    const { holder, workspace } = known
    if (holder.publishable && !request.operation.publishable) return undefined
    const answer = read(request, holder, workspace)
    return answer && { answer, holder }
  }

  return {
    find(request) {
      try {
        for (let attempt = 0; attempt < tries; attempt++) {
          const version = statements.version()
          const reads = statements.reads()
          const found = find(request, version)
          // What was all kept is of one state; what was read may be of a later one.
          if (statements.reads() === reads || statements.version() === version) return found
        }
      } catch (error) {
        // The time for a lock is used up. Whatever else it is, the routes meet it too, and know how to say it.
        if (isBusy(error)) {
          onError(error)
          return { answer: 'unavailable', holder: undefined }
        }
      }
      return undefined
    },
    encode: lists.encode,
    figures: () => ({
      reads: statements.reads(),
      caches: { ...workspaces.figures(), ...answers.figures(), ...lists.figures() },
    }),
    close: statements.close,
  }
}
