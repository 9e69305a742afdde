import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import { createScanner } from 'jsonc-parser'
import bodyParser from 'koa-bodyparser'
import { ApiError } from './api-error.ts'
import type { Parameter, RequestContext } from './state.ts'

/** Keeps every pair: the default parser makes arrays and objects of names such as `a[b]`, and drops names past the thousandth. */
const pairs = { parse: (text: string): Parameter[] => [...new URLSearchParams(text)] }

const parser = bodyParser({
  enableTypes: ['json', 'form'],
  extendTypes: { json: ['application/*+json'] },
  qs: pairs,
  onProtoPoisoning: 'remove',
} as bodyParser.Options)

/**
 * Runs koa-bodyparser over bytes that were read and checked before: left to itself it answers a corrupt gzip body with a 500,
 * takes an untyped body for `{}`, and knows no limit for what came in before it was uncompressed.
 */
async function parseWithKoa(ctx: RequestContext, bytes: Buffer): Promise<unknown> {
  const headers = { 'content-type': ctx.req.headers['content-type'], 'content-length': String(bytes.length) }
  const request = Object.assign(Readable.from([bytes]), { headers })
  try {
    await parser(Object.create(ctx, { req: { value: request } }), async () => {})
  } catch {
    throw new ApiError('malformed_body')
  }
  // It leaves alone what it does not take for one of its types, such as `application/json;!`, and says `{}`.
  if (ctx.request.rawBody === undefined) throw new ApiError('unsupported_media_type')
  return ctx.request.body
}

/** The scanner's kinds of tokens: a `const enum`, which cannot be imported. Opening are `{` and `[`, closing `}` and `]`. */
const kinds = { opening: [1, 3], closing: [2, 4], between: [5, 6], string: 10, end: 17 } as const
const isOpening = (kind: number) => kinds.opening.includes(kind as 1)
const isClosing = (kind: number) => kinds.closing.includes(kind as 2)
const isBetween = (kind: number) => kinds.between.includes(kind as 5)

/**
 * The members of an object as they are written: of two of one name `JSON.parse` keeps only the last. The text is known to be JSON.
 * What is nested is told by an empty list: no parameter takes it, and descending into it could be made to exhaust the stack.
 */
function membersOf(text: string): Parameter[] {
  const scanner = createScanner(text, true)
  const members: Parameter[] = []
  let depth = 0
  let name: string | undefined
  for (let kind: number = scanner.scan(); kind !== kinds.end; kind = scanner.scan()) {
    if (isClosing(kind)) depth--
    else if (depth === 1 && !isBetween(kind)) {
      const value = isOpening(kind) ? [] : scalarOf(scanner.getTokenValue(), kind)
      if (name === undefined) name = String(value)
      else {
        members.push([name, value])
        name = undefined
      }
    }
    if (isOpening(kind)) depth++
  }
  return members
}

const scalarOf = (text: string, kind: number): unknown => (kind === kinds.string ? text : JSON.parse(text))

export async function parseJson(ctx: RequestContext, bytes: Buffer): Promise<readonly Parameter[]> {
  const value = await parseWithKoa(ctx, bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ApiError('malformed_body')
  return membersOf(bytes.toString().replace(/^\ufeff/, ''))
}

export async function parseForm(ctx: RequestContext, bytes: Buffer): Promise<readonly Parameter[]> {
  return (await parseWithKoa(ctx, bytes)) as Parameter[]
}

const ignore = () => {}

/** Text fields are parameters; a file under the name of a parameter is a value that is not a string. */
export async function parseMultipart(ctx: RequestContext, bytes: Buffer): Promise<readonly Parameter[]> {
  const fields: Parameter[] = []
  let files = 0
  try {
    const busboy = new Busboy({
      headers: { 'content-type': ctx.req.headers['content-type'] ?? '' },
      limits: { fields: 1000, files: 1000 },
    })
    busboy.on('field', (name, value) => void fields.push([name, value]))
    // A body that breaks off is told by the parser and by the part it was in, each in its own time: whoever is not listened to ends the
    // process.
    busboy.on('error', ignore)
    busboy.on('file', (name, stream) => {
      stream.on('error', ignore)
      stream.resume()
      files++
      fields.push([name, stream])
    })
    await pipeline(Readable.from([bytes]), busboy)
  } catch {
    throw new ApiError('malformed_body')
  }
  if (files === 0 && !isUtf8(bytes)) throw new ApiError('malformed_body')
  return fields
}
