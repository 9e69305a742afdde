import { type ConsoleEndpoint, fieldCodes } from '@saleproof/schema/console'
import bodyParser from 'koa-bodyparser'
import * as v from 'valibot'
import { isParserError } from '../http/parser-errors.ts'
import type { RequestContext } from '../http/state.ts'
import { ConsoleError, invalid } from './console-error.ts'

/** The texts of a profile have no limit of their own; few other requests come near this. */
const parseBody = bodyParser({ enableTypes: ['json'], jsonLimit: '64kb' })

/** A form on another site cannot send the types of the console without a CORS preflight. */
export function requireType({ req }: RequestContext, expected: string) {
  const [type = ''] = (req.headers['content-type'] ?? '').split(';', 1)
  if (type.trim().toLowerCase() !== expected || req.headers['content-encoding'] !== undefined)
    throw new ConsoleError('unsupported_media_type')
}

/** The parser's errors repeat what was sent. */
function toConsoleError(error: unknown) {
  if (isParserError(error)) return error
  const tooLarge = error instanceof Error && 'type' in error && error.type === 'entity.too.large'
  return new ConsoleError(tooLarge ? 'body_too_large' : 'malformed_body')
}

async function readBody(ctx: RequestContext): Promise<unknown> {
  const { 'content-length': length, 'transfer-encoding': chunked } = ctx.req.headers
  if (chunked === undefined && Number(length ?? 0) === 0) return {}
  requireType(ctx, 'application/json')
  await parseBody(ctx, async () => {}).catch((error: unknown) => {
    throw toConsoleError(error)
  })
  const { body, rawBody }: { body?: unknown; rawBody?: string } = ctx.request
  // The parser passes over a media type whose parameters it cannot read.
  if (rawBody === undefined) throw new ConsoleError('unsupported_media_type')
  // What bytes that are not UTF-8 were replaced with.
  if (rawBody.includes('\ufffd') || Array.isArray(body)) throw new ConsoleError('malformed_body')
  return body
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
  { method, records, file }: ConsoleEndpoint,
): Promise<unknown> => (method === 'GET' || records || file ? readQuery(ctx) : readBody(ctx))

export function validate<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input)
  if (!result.success) throw new ConsoleError('invalid', { fields: fieldCodes(result.issues) })
  return result.output
}
