import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import Koa from 'koa'
import { consoleBuild, mountConsolePages } from '../../src/pages/console/console-pages.ts'
import { mountDocs } from '../../src/pages/docs/docs.ts'

/** The documentation pages by themselves, at the root and below a path prefix, as behind a proxy. */
export async function serveDocs(version: string) {
  /** The requests that the pages made. */
  const asked: { method: string; path: string; authorization: string }[] = []
  const address = { prefixed: '' }
  const router = new Router({ strict: true, sensitive: true, exclusive: true })
  mountDocs(router, { publicUrl: () => address.prefixed, version })
  mountConsolePages(router, { folder: consoleBuild })
  const app = new Koa()
  app.use(async (ctx, next) => {
    asked.push({ method: ctx.method, path: ctx.path, authorization: ctx.get('authorization') })
    if (ctx.path.startsWith('/shop/')) ctx.path = ctx.path.slice('/shop'.length)
    if (ctx.path.startsWith('/api/')) ctx.body = { status: 'error', msg: 'No items found' }
    else await next()
  })
  app.use(router.routes())
  const server = createServer(app.callback()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  address.prefixed = `${url}/shop`
  return {
    url,
    asked,
    /** The address that callers use; it can be changed. */
    address,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
