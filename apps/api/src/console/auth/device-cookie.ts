import { randomBytes } from 'node:crypto'
import { consoleEndpoints } from '@saleproof/schema/console'
import type { KeyVault } from '../../crypto/key-vault.ts'
import type { AccountModel } from '../../db/prisma.ts'
import type { RequestContext } from '../../http/state.ts'
import { safeEqual } from '../../safe-equal.ts'
import { type CookieOptions, createCookie } from './cookies.ts'

interface DeviceCookieOptions extends CookieOptions {
  vault: KeyVault
  clock: () => Date
}

type Owner = Pick<AccountModel, 'id' | 'passwordHash'>

const maxAgeMs = 180 * 24 * 60 * 60 * 1000

/** The time of issue, a random text, the device's id (a MAC of both), and a MAC that ties the id to an account. */
const format = /^(\d{1,15})\.([\w-]{22})\.([\w-]{43})\.([\w-]{43})$/

/**
 * Recognises browsers that have signed in to an account before, like OWASP's device cookies: an attacker who guesses passwords uses up the
 * attempts of unknown browsers, never those of the owner's. A new password makes every browser unknown again.
 */
export function createDeviceCookie({ vault, clock, ...options }: DeviceCookieOptions) {
  const path = `/api${consoleEndpoints.signIn.path}`
  const cookie = createCookie({ name: 'saleproof_device', path }, options)
  const computeId = (issued: string, random: string) => vault.hash(`device ${issued} ${random}`)
  const computeMac = (id: string, owner: Owner | null) =>
    vault.hash(`device of ${id} ${owner?.id} ${owner?.passwordHash}`)

  return {
    /** The id of a browser that has signed in to the account before. */
    async read(ctx: RequestContext, findOwner: () => Promise<Owner | null>): Promise<string | undefined> {
      const [, issued = '', random = '', id = '', mac = ''] = format.exec(cookie.read(ctx) ?? '') ?? []
      if (!mac || clock().getTime() - Number(issued) > maxAgeMs) return undefined
      // A forged cookie costs no query: unknown browsers are not limited yet at this point.
      if (!safeEqual(id, computeId(issued, random))) return undefined
      return safeEqual(mac, computeMac(id, await findOwner())) ? id : undefined
    },

    /** Marks the browser as one that has signed in to the account. */
    write(ctx: RequestContext, owner: Owner) {
      const issued = String(clock().getTime())
      const random = randomBytes(16).toString('base64url')
      const id = computeId(issued, random)
      cookie.write(ctx, [issued, random, id, computeMac(id, owner)].join('.'), maxAgeMs)
    },
  }
}

export type DeviceCookie = ReturnType<typeof createDeviceCookie>
