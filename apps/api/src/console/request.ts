import { isUtf8 } from 'node:buffer'
import { type ConsoleEndpoint, fieldCodes } from '@saleproof/schema/console'
import getRawBody from 'raw-body'
import * as v from 'valibot'
import { isParserError } from '../http/parser-errors.ts'
import type { RequestContext } from '../http/state.ts'
import { ConsoleFailure, invalid } from './console-error.ts'

/** A profile has texts of any length; nothing else comes near this. */
const bodyLimit = 64 * 1024

async function readBytes({ req }: RequestContext): Promise<Buffer> {
  const length = req.headers['content-length']
  try {
    return await getRawBody(req, { limit: bodyLimit, ...(length !== undefined && { length }) })
  } catch (error) {
    if (isParserError(error)) throw error
    const tooLarge = (error as { type?: string }).type === 'entity.too.large'
    throw new ConsoleFailure(tooLarge ? 'body_too_large' : 'malformed_body')
  }
}

/** Only JSON: no form of another site can send that without the browser asking first whether it may. */
function requireJson({ req }: RequestContext) {
  const [type = ''] = (req.headers['content-type'] ?? '').split(';', 1)
  if (type.trim().toLowerCase() !== 'application/json' || req.headers['content-encoding'] !== undefined)
    throw new ConsoleFailure('unsupported_media_type')
}

async function readBody(ctx: RequestContext): Promise<unknown> {
  const bytes = await readBytes(ctx)
  if (bytes.length === 0) return {}
  requireJson(ctx)
  try {
    const value: unknown = isUtf8(bytes) ? JSON.parse(bytes.toString()) : undefined
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // The error of the parser repeats what it was given.
  }
  throw new ConsoleFailure('malformed_body')
}

function readQuery({ querystring }: RequestContext): Record<string, string> {
  const given: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(querystring)) {
    if (Object.hasOwn(given, name)) throw invalid(name, 'type')
    given[name] = value
  }
  return given
}

/** What came with a request, before it is known to be what the endpoint takes. */
export const readRequest = (ctx: RequestContext): Promise<unknown> =>
  ctx.method === 'GET' ? Promise.resolve(readQuery(ctx)) : readBody(ctx)

/** What an endpoint takes, or why this is not it. */
export function checkRequest<Endpoint extends ConsoleEndpoint>({ request }: Endpoint, given: unknown) {
  const result = v.safeParse(request, given)
  if (!result.success) throw new ConsoleFailure('invalid', { fields: fieldCodes(result.issues) })
  return result.output
}
