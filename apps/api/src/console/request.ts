import { isUtf8 } from 'node:buffer'
import { type ConsoleEndpoint, fieldCodes } from '@saleproof/schema/console'
import getRawBody from 'raw-body'
import * as v from 'valibot'
import { isParserError } from '../http/parser-errors.ts'
import type { RequestContext } from '../http/state.ts'
import { ConsoleError, invalid } from './console-error.ts'

/** The texts of a profile have no limit of their own; few other requests come near this. */
const defaultBodyLimit = 64 * 1024

async function readBytes({ req }: RequestContext, limit: number): Promise<Buffer> {
  const length = req.headers['content-length']
  try {
    return await getRawBody(req, { limit, ...(length !== undefined && { length }) })
  } catch (error) {
    if (isParserError(error)) throw error
    const tooLarge = error instanceof Error && 'type' in error && error.type === 'entity.too.large'
    throw new ConsoleError(tooLarge ? 'body_too_large' : 'malformed_body')
  }
}

/** Only JSON: a form on another site cannot send it without a CORS pre-flight. */
function requireJson({ req }: RequestContext) {
  const [type = ''] = (req.headers['content-type'] ?? '').split(';', 1)
  if (type.trim().toLowerCase() !== 'application/json' || req.headers['content-encoding'] !== undefined)
    throw new ConsoleError('unsupported_media_type')
}

async function readBody(ctx: RequestContext, limit: number): Promise<unknown> {
  const bytes = await readBytes(ctx, limit)
  if (bytes.length === 0) return {}
  requireJson(ctx)
  try {
    const value: unknown = isUtf8(bytes) ? JSON.parse(bytes.toString()) : undefined
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Dropped: the parser's error repeats its input.
  }
  throw new ConsoleError('malformed_body')
}

function readQuery({ querystring }: RequestContext): Record<string, string> {
  const query: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(querystring)) {
    if (Object.hasOwn(query, name)) throw invalid(name, 'type')
    query[name] = value
  }
  return query
}

/** The query or body of a request, not validated yet. */
export const readRequest = (
  ctx: RequestContext,
  { bodyLimit = defaultBodyLimit }: ConsoleEndpoint,
): Promise<unknown> => (ctx.method === 'GET' ? Promise.resolve(readQuery(ctx)) : readBody(ctx, bodyLimit))

export function validateRequest<Endpoint extends ConsoleEndpoint>({ request }: Endpoint, input: unknown) {
  const result = v.safeParse(request, input)
  if (!result.success) throw new ConsoleError('invalid', { fields: fieldCodes(result.issues) })
  return result.output
}
