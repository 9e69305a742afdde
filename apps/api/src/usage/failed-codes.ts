import { type FailedCodeReason, failedCodeReasons } from '@saleproof/schema/console'
import type { Logger } from 'pino'
import type { KeyVault } from '../crypto/key-vault.ts'
import type { RequestEvent } from '../http/request-event.ts'
import { createBufferedWriter } from './buffered-writer.ts'
import {
  type FailedCode,
  type FailedCodesQuery,
  failedCodesMs,
  maxFailedCodes,
  type UsageStore,
} from './usage-store.ts'

interface FailedCodesOptions {
  store: () => Pick<UsageStore, 'recordFailedCodes' | 'failedCodes'>
  vault: Pick<KeyVault, 'hash' | 'seal' | 'open'>
  logger: Logger
  now: () => number
}

/** Failures of one code that were not written yet. */
interface Pending {
  keyId: string
  lastAt: number
  count: number
}

/** Failures of a workspace for one reason, by code, the last one at the end. */
interface Group {
  workspaceId: number
  reason: FailedCodeReason
  codes: Map<string, Pending>
}

/** A code that failed, for the owner of the workspace. */
export interface RecentFailure extends Pending {
  code: string
}

/** A crash loses at most this much. */
const flushEveryMs = 5000
/** More workspaces and reasons between two writes are not recorded: a flood of failures must not fill the memory. */
const maxGroups = 200

// No key contains a space, so this is never the hash of a key.
const hashedText = (code: string) => `failed code ${code}`

/** A code as it is stored. */
export function sealCode(
  { hash, seal }: Pick<KeyVault, 'hash' | 'seal'>,
  code: string,
): Pick<FailedCode, 'hash' | 'sealed'> {
  const text = hashedText(code)
  return { hash: hash(text), sealed: Buffer.from(seal(text)).toString('base64url') }
}

const isKept = (code: string | null): code is FailedCodeReason =>
  failedCodeReasons.some((reason) => reason === code)

/** Keeps which codes failed last, encrypted: an unknown code may be a typo of a valid one. No request waits for that. */
export function createFailedCodes({ store, vault, logger, now }: FailedCodesOptions) {
  let groups = new Map<string, Group>()

  async function write() {
    if (groups.size === 0) return
    const failed = [...groups.values()].flatMap((group) =>
      [...group.codes].map(([code, pending]) => ({
        workspaceId: group.workspaceId,
        reason: group.reason,
        ...sealCode(vault, code),
        ...pending,
      })),
    )
    groups = new Map()
    // Where it fails they are counted all the same; only which codes they were is lost.
    await store().recordFailedCodes(failed, now())
  }

  const failure = 'codes that failed could not be written'
  const { flush, close } = createBufferedWriter({ logger, everyMs: flushEveryMs, failure, write })

  function add({ codes }: Group, code: string, keyId: string) {
    const count = (codes.get(code)?.count ?? 0) + 1
    codes.delete(code)
    codes.set(code, { keyId, lastAt: now(), count })
    const [oldest] = codes.keys()
    if (codes.size > maxFailedCodes && oldest !== undefined) codes.delete(oldest)
  }

  /** Nothing for a code from before the secret was rotated. */
  function open({ sealed, hash, keyId, lastAt, count }: FailedCode): RecentFailure[] {
    try {
      const text = vault.open(Buffer.from(sealed, 'base64url'), hash)
      return [
        { code: text.slice(hashedText('').length), keyId, lastAt: Number(lastAt), count: Number(count) },
      ]
    } catch {
      return []
    }
  }

  return {
    observe({ workspace, keyId, code, sentCode }: RequestEvent) {
      if (!isKept(code) || sentCode === undefined || workspace === null || keyId === undefined) return
      const id = `${code} ${workspace}`
      const group = groups.get(id) ?? { workspaceId: workspace, reason: code, codes: new Map() }
      if (group.codes.size === 0) {
        if (groups.size >= maxGroups) return
        groups.set(id, group)
      }
      add(group, sentCode, keyId)
    },

    /** The codes that failed last, with those of this process up to now; those of others are five seconds behind. */
    async read(query: Omit<FailedCodesQuery, 'since'>): Promise<RecentFailure[]> {
      await flush()
      const failed = await store().failedCodes({ ...query, since: now() - failedCodesMs })
      return failed.flatMap(open)
    },

    close,
  }
}
