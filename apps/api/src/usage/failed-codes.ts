import { type FailedCodeReason, failedCodeReasons } from '@saleproof/schema/console'
import type { KeyVault } from '../crypto/key-vault.ts'
import type { RequestEvent } from '../http/request-event.ts'
import { maxFailedCodes } from './usage-methods.ts'
import type { FailedCode } from './usage-store.ts'

interface FailedCodesOptions {
  vault: Pick<KeyVault, 'hash' | 'seal' | 'open'>
  now: () => number
}

/** Failures of one code. */
interface Failures {
  keyId: string
  lastAt: number
  count: number
}

/** Failures of a workspace for one reason, by code, the last one at the end. */
interface Group {
  workspaceId: number
  reason: FailedCodeReason
  codes: Map<string, Failures>
}

/** A code that failed, for the owner of the workspace. */
export interface RecentFailure extends Failures {
  code: string
}

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

/** Collects which codes failed last, encrypted: an unknown code may be a typo of a valid one. */
export function createFailedCodes({ vault, now }: FailedCodesOptions) {
  let groups = new Map<string, Group>()

  return {
    observe({ workspace, keyId, code, sentCode }: RequestEvent) {
      if (!isKept(code) || sentCode === undefined || workspace === null || keyId === undefined) return
      const id = `${code} ${workspace}`
      const { codes } = groups.get(id) ?? { codes: new Map<string, Failures>() }
      if (codes.size === 0) {
        if (groups.size >= maxGroups) return
        groups.set(id, { workspaceId: workspace, reason: code, codes })
      }
      const count = (codes.get(sentCode)?.count ?? 0) + 1
      codes.delete(sentCode)
      codes.set(sentCode, { keyId, lastAt: now(), count })
      const [oldest] = codes.keys()
      if (codes.size > maxFailedCodes && oldest !== undefined) codes.delete(oldest)
    },

    take(): FailedCode[] {
      const taken = [...groups.values()]
      groups = new Map()
      return taken.flatMap(({ workspaceId, reason, codes }) =>
        [...codes].map(([code, failures]) => ({
          workspaceId,
          reason,
          ...sealCode(vault, code),
          ...failures,
        })),
      )
    },

    /** Nothing for a code from before the secret was rotated. */
    open({ sealed, hash, keyId, lastAt, count }: FailedCode): RecentFailure[] {
      try {
        const text = vault.open(Buffer.from(sealed, 'base64url'), hash)
        return [{ code: text.slice(hashedText('').length), keyId, lastAt, count }]
      } catch {
        return []
      }
    },
  }
}
