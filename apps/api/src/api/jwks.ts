import type Router from '@koa/router'
import type { SigningKeyFinder } from '../domain/signing-keys.ts'
import type { RequestState } from '../http/state.ts'

/** The public keys with which anybody can verify passes. */
export function mountJwks(router: Router<RequestState>, { published }: Pick<SigningKeyFinder, 'published'>) {
  router.get('/.well-known/jwks.json', async (ctx) => {
    const rows = await published()
    ctx.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=300' })
    ctx.body = {
      keys: rows.map(({ id, publicKey }) => ({
        kty: 'OKP',
        crv: 'Ed25519',
        use: 'sig',
        alg: 'EdDSA',
        kid: id,
        x: publicKey,
      })),
    }
  })
}
