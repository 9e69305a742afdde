import {
  hashParameters,
  hashPassword,
  ownParameters,
  placeholderHash,
  verifyPassword,
} from '../../crypto/password.ts'
import type { Database } from '../../db/database.ts'
import { createFairQueue } from '../../fair-queue.ts'
import { busy } from '../console-error.ts'

/** Each check takes 19 MiB and a thread of the pool, which compresses responses as well. */
const limits = { running: 2, ofOwner: 2, waitingOfOwner: 20, full: busy }

/** Shared by all browsers that have not signed in before. */
const unknownBrowser = ''

/** Imports may bring hashes with other parameters. */
const parametersLastMs = 60_000

interface PasswordCheckOptions {
  database: Pick<Database, 'read'>
  clock: () => Date
}

/**
 * Checks passwords, a few at a time. The last argument is the account of a browser that has signed in to it before: browsers of each
 * account take turns with unknownBrowser, so that a flood of these stops none of them.
 */
export function createPasswordCheck({ database: { read }, clock }: PasswordCheckOptions) {
  const inTurn = createFairQueue(limits)
  let parameters: readonly string[] = [ownParameters]
  let readAt = Number.NEGATIVE_INFINITY

  /** Those of the stored hashes, and ours. */
  async function parametersInUse(): Promise<readonly string[]> {
    const now = clock().getTime()
    if (Math.abs(now - readAt) < parametersLastMs) return parameters
    const rows = await read<{ passwordHash: string }>(
      `SELECT "passwordHash" FROM "Account" WHERE "passwordHash" NOT LIKE '${ownParameters}$%'`,
    )
    parameters = [
      ...new Set([ownParameters, ...rows.map(({ passwordHash }) => hashParameters(passwordHash))]),
    ]
    readAt = now
    return parameters
  }

  /** The same work for every account and for none: one check with each of the parameters in use. */
  async function verifyInEqualTime(stored: string | null | undefined, password: string): Promise<boolean> {
    let verified = false
    const own = stored ? hashParameters(stored) : undefined
    for (const each of new Set([...(await parametersInUse()), own ?? ownParameters])) {
      const matches = await verifyPassword(stored && each === own ? stored : placeholderHash(each), password)
      if (each === own) verified = matches
    }
    return verified
  }

  return {
    matches: (
      stored: string | null | undefined,
      password: string,
      accountId = unknownBrowser,
    ): Promise<boolean> =>
      inTurn(accountId, async () =>
        accountId !== unknownBrowser && stored
          ? verifyPassword(stored, password)
          : verifyInEqualTime(stored, password),
      ),
    hash: (password: string, accountId: string) => inTurn(accountId, () => hashPassword(password)),
  }
}

export type PasswordCheck = ReturnType<typeof createPasswordCheck>
