import { isUtf8 } from 'node:buffer'
import { type ConsoleEndpoint, fieldCodes } from '@saleproof/schema/console'
import getRawBody from 'raw-body'
import * as v from 'valibot'
import { isParserError } from '../http/parser-errors.ts'
import type { RequestContext } from '../http/state.ts'
import { ConsoleError, invalid } from './console-error.ts'

/** The texts of a profile have no limit of their own; few other requests come near this. */
const bodyLimit = 64 * 1024

async function readBytes({ req }: RequestContext): Promise<Buffer> {
  const length = req.headers['content-length']
  try {
    return await getRawBody(req, { limit: bodyLimit, ...(length !== undefined && { length }) })
  } catch (error) {
    if (isParserError(error)) throw error
    const tooLarge = error instanceof Error && 'type' in error && error.type === 'entity.too.large'
    throw new ConsoleError(tooLarge ? 'body_too_large' : 'malformed_body')
  }
}

/** A form on another site cannot send the types of the console without a CORS pre-flight. */
export function requireType({ req }: RequestContext, expected: string) {
  const [type = ''] = (req.headers['content-type'] ?? '').split(';', 1)
  if (type.trim().toLowerCase() !== expected || req.headers['content-encoding'] !== undefined)
    throw new ConsoleError('unsupported_media_type')
}

async function readBody(ctx: RequestContext): Promise<unknown> {
  const bytes = await readBytes(ctx)
  if (bytes.length === 0) return {}
  requireType(ctx, 'application/json')
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
export const readRequest = async (
  ctx: RequestContext,
  { method, ndjson }: ConsoleEndpoint,
): Promise<unknown> => (method === 'GET' || ndjson ? readQuery(ctx) : readBody(ctx))

export function validateRequest<Endpoint extends ConsoleEndpoint>({ request }: Endpoint, input: unknown) {
  const result = v.safeParse(request, input)
  if (!result.success) throw new ConsoleError('invalid', { fields: fieldCodes(result.issues) })
  return result.output
}
