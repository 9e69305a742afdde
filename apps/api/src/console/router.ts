import Router from '@koa/router'
import { type ConsoleEndpointName, consoleEndpoints } from '@saleproof/schema/console'
import helmet from 'koa-helmet'
import type { Prisma } from '../db/sqlite/prisma.ts'
import type { PublicAddress } from '../http/public-address.ts'
import { answer as sendJson } from '../http/response.ts'
import type { RequestContext, RequestMiddleware, RequestState } from '../http/state.ts'
import { requireSameSite, requireToken } from './auth/csrf.ts'
import type { SessionCookie } from './auth/session-cookie.ts'
import type { Sessions, SignedIn } from './auth/sessions.ts'
import { ConsoleFailure } from './console-error.ts'
import { type ConsoleFailuresOptions, consoleFailures } from './failures.ts'
import type { Handlers, WorkspaceModel } from './handler.ts'
import { checkRequest, readRequest } from './request.ts'

interface ConsoleApiOptions extends ConsoleFailuresOptions {
  prisma: Prisma
  address: PublicAddress
  cookie: SessionCookie
  sessions: Sessions
  handlers: Handlers
}

const base = '/console/api'
const names = Object.keys(consoleEndpoints) as ConsoleEndpointName[]
/** In the order in which `Allow` names them. */
const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const

/** Data, which nothing may render, embed or keep. */
const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  strictTransportSecurity: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xFrameOptions: { action: 'deny' },
})

function createGuards({ prisma, address, cookie, sessions }: ConsoleApiOptions) {
  async function requireOwner(ctx: RequestContext): Promise<SignedIn> {
    const token = cookie.read(ctx)
    const owner = token === undefined ? undefined : await sessions.find(token)
    if (!owner) throw new ConsoleFailure('not_signed_in')
    return owner
  }

  /** The workspace of the path, if it is the owner's: another's is as unknown as one that there is not. */
  async function requireWorkspace({ account }: SignedIn, slug: string): Promise<WorkspaceModel> {
    const workspace = await prisma.workspace.findUnique({ where: { slug, accountId: account.id } })
    if (!workspace) throw new ConsoleFailure('not_found')
    return workspace
  }

  const requireOwnPage = (ctx: RequestContext) => requireSameSite(ctx, address)
  return { requireOwner, requireWorkspace, requireOwnPage }
}

/** What no database keeps names nothing, and to ask for it would look like trouble of the database. */
function requireText(parameters: Record<string, string>) {
  const isText = (text: string) => text.isWellFormed() && !text.includes('\0')
  if (!Object.values(parameters).every(isText)) throw new ConsoleFailure('not_found')
}

/** Answers one endpoint, in the order of checks: site, session, token, body, workspace, members. */
function createAnswer(name: ConsoleEndpointName, options: ConsoleApiOptions) {
  const endpoint = consoleEndpoints[name]
  const { requireOwner, requireWorkspace, requireOwnPage } = createGuards(options)
  // What a handler is called with is what the table says of its name; across all names the compiler cannot follow that.
  const handle = options.handlers[name] as unknown as (call: object) => Promise<unknown>

  return async function answer(ctx: RequestContext & { params: Record<string, string> }) {
    if (endpoint.method !== 'GET') requireOwnPage(ctx)
    const owner = name === 'signIn' ? undefined : await requireOwner(ctx)
    if (owner && endpoint.method !== 'GET') requireToken(ctx, owner.csrfToken)
    const given = await readRequest(ctx)
    requireText(ctx.params)
    const { slug } = ctx.params
    const workspace = owner && slug !== undefined ? await requireWorkspace(owner, slug) : undefined
    const request = checkRequest(endpoint, given)
    const result = await handle({ ctx, owner, workspace, request, parameters: ctx.params })
    if (ctx.body != null) return
    if (result === undefined) ctx.status = 204
    else await sendJson(ctx, JSON.stringify(result), { conditional: false })
  }
}

function createRouter(options: ConsoleApiOptions) {
  const router = new Router<RequestState>({ strict: true, sensitive: true, exclusive: true, prefix: base })
  for (const name of names) {
    const { method, path } = consoleEndpoints[name]
    const answer = createAnswer(name, options)
    const register = router[method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete'].bind(router)
    register(path, (ctx) => answer(ctx))
  }
  return router
}

/** Says which endpoint answers, or that none does. */
function requireEndpoint(router: Router<RequestState>, ctx: RequestContext) {
  const { path, pathAndMethod } = router.match(ctx.path, ctx.method)
  if (path.length === 0) throw new ConsoleFailure('not_found')
  ctx.state.route = String(path[0]?.path)
  if (pathAndMethod.length > 0 && ctx.method !== 'HEAD') return
  const taken = new Set(path.flatMap((layer) => layer.methods))
  const allow = methods.filter((method) => taken.has(method)).join(', ')
  throw new ConsoleFailure('method_not_allowed', { headers: { Allow: allow } })
}

/** Whether a path is the console's to answer, whatever it asks for. */
export const isConsoleApi = (path: string) => path === base || path.startsWith(`${base}/`)

/** Everything below `/console/api`, with failures of its own form. */
export function createConsoleApi(options: ConsoleApiOptions): RequestMiddleware {
  const router = createRouter(options)
  const routes = router.routes()
  const failures = consoleFailures(options)
  return async function consoleApi(ctx, next) {
    if (!isConsoleApi(ctx.path)) return next()
    ctx.set('Cache-Control', 'no-store')
    await protect(ctx, async () => {})
    await failures(ctx, async () => {
      requireEndpoint(router, ctx)
      await routes(ctx as Parameters<typeof routes>[0], async () => {})
    })
  }
}
