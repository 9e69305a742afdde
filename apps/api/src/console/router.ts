import Router from '@koa/router'
import { type ConsoleEndpoint, type ConsoleEndpointName, consoleEndpoints } from '@saleproof/schema/console'
import type { WorkspaceModel } from '../db/prisma.ts'
import { createRecorder } from '../domain/audit-log.ts'
import { createFairQueue, type FairQueue } from '../fair-queue.ts'
import { withPolicy } from '../http/page-policy.ts'
import { sendJson } from '../http/response.ts'
import type { RequestContext, RequestMiddleware, RequestState } from '../http/state.ts'
import { requireSameSite, requireToken } from './auth/csrf.ts'
import type { SignedIn } from './auth/sessions.ts'
import { busy, ConsoleError, consoleErrorHandler } from './console-error.ts'
import type { HandlerOptions, Handlers } from './handler.ts'
import { consoleActor } from './names.ts'
import { readRequest, validate } from './request.ts'

const base = '/console/api'
/** In the order of the header `Allow`. */
const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const

/** More waits than the pages of a few tabs ask for. */
const queueLimits = { running: 8, ofOwner: 2, waitingOfOwner: 20, full: busy }

/** Responses are data: no page may render or embed them. */
const protect = withPolicy({ defaultSrc: ["'none'"], frameAncestors: ["'none'"] })

/** No database can store such text, and a query for it would look like a database error. */
function requireText(parameters: Record<string, string>) {
  const isText = (text: string) => text.isWellFormed() && !text.includes('\0')
  if (!Object.values(parameters).every(isText)) throw new ConsoleError('not_found')
}

/** Handles one endpoint. The order of checks: site, session, token, body, workspace, fields. */
function createEndpoint(
  endpoint: ConsoleEndpoint,
  handle: (call: never) => Promise<unknown>,
  inTurn: FairQueue,
  { database: { prisma }, address, clock, auth: { cookie, sessions } }: HandlerOptions,
) {
  async function requireOwner(token: string | undefined): Promise<SignedIn> {
    const owner = token === undefined ? undefined : await sessions.find(token)
    if (!owner) throw new ConsoleError('not_signed_in')
    return owner
  }

  /** Another owner's workspace gets the same response as one that does not exist. */
  async function requireWorkspace({ account }: SignedIn, slug: string): Promise<WorkspaceModel> {
    const workspace = await prisma.workspace.findUnique({ where: { slug, accountId: account.id } })
    if (!workspace) throw new ConsoleError('not_found')
    return workspace
  }

  return async function endpointHandler(ctx: RequestContext & { params: Record<string, string> }) {
    const changes = endpoint.method !== 'GET'
    if (changes) requireSameSite(ctx, address)
    const token = cookie.read(ctx)
    const owner = endpoint.public ? undefined : await requireOwner(token)
    if (owner && changes) requireToken(ctx, owner.csrfToken)
    const input = await readRequest(ctx, endpoint)
    requireText(ctx.params)
    const { slug } = ctx.params
    const workspace = owner && slug !== undefined ? await requireWorkspace(owner, slug) : undefined
    const request = validate(endpoint.request, input)
    const record = owner && createRecorder({ clock, actor: consoleActor(owner.account.id) })
    const call = { ctx, owner, record, workspace, request, parameters: ctx.params }
    // The endpoint decides what its call contains; the compiler cannot follow that for all of them at once.
    const act = () => handle(call as never)
    const result = await (owner && endpoint.queued ? inTurn(owner.account.id, act) : act())
    if (ctx.body != null) return
    if (result === undefined) ctx.status = 204
    else await sendJson(ctx, result)
  }
}

function createRoutes(options: HandlerOptions, handlers: Handlers) {
  const router = new Router<RequestState>({ strict: true, sensitive: true, exclusive: true, prefix: base })
  const inTurn = createFairQueue(queueLimits)
  for (const [name, endpoint] of Object.entries(consoleEndpoints)) {
    const handle = handlers[name as ConsoleEndpointName]
    router.register(endpoint.path, [endpoint.method], createEndpoint(endpoint, handle, inTurn, options))
  }
  return router
}

function requireEndpoint(router: Router<RequestState>, ctx: RequestContext) {
  const { path, pathAndMethod } = router.match(ctx.path, ctx.method)
  if (path.length === 0) throw new ConsoleError('not_found')
  ctx.state.route = String(path[0]?.path)
  if (pathAndMethod.length > 0 && ctx.method !== 'HEAD') return
  const known = new Set(path.flatMap((layer) => layer.methods))
  const allow = methods.filter((method) => known.has(method)).join(', ')
  throw new ConsoleError('method_not_allowed', { headers: { Allow: allow } })
}

/** Whether a path belongs to the console's API, whether or not an endpoint exists there. */
export const isConsoleApi = (path: string) => path === base || path.startsWith(`${base}/`)

/** Serves everything below `/console/api`, with the console's own error format. */
export function createConsoleRouter(options: HandlerOptions, handlers: Handlers): RequestMiddleware {
  const router = createRoutes(options, handlers)
  const routes = router.routes()
  const handleErrors = consoleErrorHandler(options)
  return async function consoleRouter(ctx, next) {
    if (!isConsoleApi(ctx.path)) return next()
    ctx.set('Cache-Control', 'no-store')
    await protect(ctx, async () => {})
    await handleErrors(ctx, async () => {
      requireEndpoint(router, ctx)
      // The router adds what its type expects, `params`.
      await routes(ctx as Parameters<typeof routes>[0], async () => {})
    })
  }
}
