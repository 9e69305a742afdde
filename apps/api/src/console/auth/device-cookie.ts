import { randomBytes, timingSafeEqual } from 'node:crypto'
import { consoleEndpoints } from '@saleproof/schema/console'
import type { KeyVault } from '../../crypto/key-vault.ts'
import type { AccountModel } from '../../db/sqlite/prisma.ts'
import type { RequestContext } from '../../http/state.ts'
import { type CookieOptions, createCookie } from './cookie.ts'

interface DevicesOptions extends CookieOptions {
  vault: KeyVault
  now: () => number
}

type Owner = Pick<AccountModel, 'id' | 'passwordHash'>

const knownForMs = 180 * 24 * 60 * 60 * 1000

/** When it was given, a text by chance, the word of the browser that is made of both, and what ties that to an account. */
const form = /^(\d{1,15})\.([\w-]{22})\.([\w-]{43})\.([\w-]{43})$/

const same = (one: string, other: string) => timingSafeEqual(Buffer.from(one), Buffer.from(other))

/**
 * Knows browsers that have signed in to an account before, as OWASP's device cookies do: whoever tries passwords for a name uses up the
 * attempts of all strangers, and those of none of its owner's browsers. Another password makes strangers of them all.
 */
export function createDevices({ vault, now, ...options }: DevicesOptions) {
  const path = `/api${consoleEndpoints.signIn.path}`
  const cookie = createCookie({ name: 'saleproof_device', path }, options)
  const idOf = (given: string, chance: string) => vault.hash(`device ${given} ${chance}`)
  const macOf = (word: string, owner: Owner | null) =>
    vault.hash(`device of ${word} ${owner?.id} ${owner?.passwordHash}`)

  return {
    /** The word of a browser that has signed in to the account before. */
    async find(ctx: RequestContext, ownerOf: () => Promise<Owner | null>): Promise<string | undefined> {
      const [, given = '', chance = '', word = '', mark = ''] = form.exec(cookie.read(ctx) ?? '') ?? []
      if (!mark || now() - Number(given) > knownForMs) return undefined
      // For what was not given by the service the database is not asked: of strangers' questions there is no limit yet.
      if (!same(word, idOf(given, chance))) return undefined
      return same(mark, macOf(word, await ownerOf())) ? word : undefined
    },

    /** From now on the browser is known to have signed in to the account. */
    remember(ctx: RequestContext, owner: Owner) {
      const given = String(now())
      const chance = randomBytes(16).toString('base64url')
      const word = idOf(given, chance)
      cookie.write(ctx, [given, chance, word, macOf(word, owner)].join('.'), knownForMs)
    },
  }
}

export type Devices = ReturnType<typeof createDevices>
