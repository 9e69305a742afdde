import type Router from '@koa/router'
import type { RequestState } from '../http/state.ts'
import type { PassOptions } from './passes.ts'

/** How long the list is kept: anybody may ask for it, and it is as long as there are workspaces. */
const keptMs = 60_000

/** The public keys with which anybody can verify passes. */
export function mountJwks(router: Router<RequestState>, { signingKeys, now }: PassOptions) {
  let [body, readAt] = ['', -Infinity]
  router.get('/.well-known/jwks.json', async (ctx) => {
    // Whichever is later: a clock may be set back.
    if (Math.abs(now() - readAt) > keptMs) {
      const rows = await signingKeys.published()
      const shared = { kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA' }
      body = JSON.stringify({ keys: rows.map(({ id, publicKey }) => ({ ...shared, kid: id, x: publicKey })) })
      readAt = now()
    }
    ctx.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=300' })
    ctx.type = 'json'
    ctx.body = body
  })
}
