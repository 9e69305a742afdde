import { randomBytes, timingSafeEqual } from 'node:crypto'
import { consoleEndpoints } from '@saleproof/schema/console'
import type { KeyVault } from '../crypto/key-vault.ts'
import type { AccountModel } from '../database/open.ts'
import type { RequestContext } from '../http/state.ts'
import { type CookieOptions, createCookie } from './cookie.ts'

interface DevicesOptions extends CookieOptions {
  vault: KeyVault
  now: () => number
}

type Owner = Pick<AccountModel, 'id' | 'passwordHash'>

const knownForMs = 180 * 24 * 60 * 60 * 1000

/** When it was given, a word of its own, and what only the service can have made of both for one account. */
const form = /^(\d{1,15})\.([\w-]{22})\.([\w-]{43})$/

const same = (one: string, other: string) => timingSafeEqual(Buffer.from(one), Buffer.from(other))

/**
 * Knows browsers that have signed in to an account before, as OWASP's device cookies do: whoever tries passwords for a name uses up the
 * attempts of all strangers, and those of none of its owner's browsers. Another password makes strangers of them all.
 */
export function createDevices({ vault, now, ...options }: DevicesOptions) {
  const path = `/api${consoleEndpoints.signIn.path}`
  const cookie = createCookie({ name: 'saleproof_device', path }, options)
  const markOf = (owner: Owner | null, given: string, word: string) =>
    vault.hash(`device ${given} ${word} ${owner?.id} ${owner?.passwordHash}`)

  return {
    /** The word of a browser that has signed in to the account before. `ownerOf` is asked only where a cookie says that it may have. */
    async find(ctx: RequestContext, ownerOf: () => Promise<Owner | null>): Promise<string | undefined> {
      const [, given = '', word = '', mark = ''] = form.exec(cookie.read(ctx) ?? '') ?? []
      if (!mark || now() - Number(given) > knownForMs) return undefined
      return same(mark, markOf(await ownerOf(), given, word)) ? word : undefined
    },

    /** From now on the browser is known to have signed in to the account. */
    remember(ctx: RequestContext, owner: Owner) {
      const given = String(now())
      const word = randomBytes(16).toString('base64url')
      cookie.write(ctx, `${given}.${word}.${markOf(owner, given, word)}`, knownForMs)
    },
  }
}

export type Devices = ReturnType<typeof createDevices>
