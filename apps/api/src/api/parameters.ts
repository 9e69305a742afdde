import {
  cleanPastedCode,
  type OperationName,
  operations,
  type ParameterName,
  parameterSchemas,
} from '@saleproof/schema'
import * as v from 'valibot'
import { ApiError } from '../http/api-error.ts'
import type { Parameter, RequestContext } from '../http/state.ts'

/** What each parameter is once it was read. */
export type ParameterValues = {
  [Name in ParameterName]: v.InferOutput<(typeof parameterSchemas)[Name]>
}

/** The parameters that an operation needs. */
export type RequiredParameters<Name extends OperationName> = Pick<
  ParameterValues,
  (typeof operations)[Name]['required'][number]
>

export const isParameterName = (name: string): name is ParameterName => Object.hasOwn(parameterSchemas, name)

/** A value as its schema reads it; undefined where it is invalid. */
export function readValue<Name extends ParameterName>(
  name: Name,
  value: unknown,
): ParameterValues[Name] | undefined {
  const result = v.safeParse(parameterSchemas[name], value)
  // The compiler does not follow a name into the schema and out of it again.
  return result.success ? (result.output as ParameterValues[Name]) : undefined
}

/** The name of a parameter in the brackets that some clients write for arrays and objects: `item_id[]`, `item_id[a]`. */
const bracketed = new RegExp(`^(${Object.keys(parameterSchemas).join('|')})\\[`)

/** Every value that was given for a parameter, in the query and the body; a bracketed name gives an array. */
function readValues(ctx: RequestContext, name: ParameterName): unknown[] {
  const given: Parameter[] = [...new URLSearchParams(ctx.querystring), ...ctx.state.body]
  return given.flatMap(([key, value]) => {
    if (key === name) return [value]
    return bracketed.exec(key)?.[1] === name ? [[value]] : []
  })
}

const invalid = (parameter: ParameterName) => new ApiError('invalid_parameter', { parameter })

function requireValue<Name extends ParameterName>(name: Name, value: unknown): ParameterValues[Name] {
  const read = readValue(name, value)
  if (read === undefined) throw invalid(name)
  return read
}

const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value)

/** Values without blank ones, and how many they are when those that differ by white space alone count as one. */
function distinct(values: readonly unknown[]) {
  const given = values.filter((value) => trimmed(value) !== '')
  return { first: given[0], count: new Set(given.map(trimmed)).size }
}

/** The keys of the headers. Another scheme than Bearer, such as a proxy's Basic, is ignored. */
function headerKeys(ctx: RequestContext): string[] {
  const { authorization = [], 'x-api-key': apiKeys = [] } = ctx.req.headersDistinct
  const bearer = authorization.map((text) => /^bearer(?:\s+(.*))?$/i.exec(text.trim())?.[1] ?? '')
  return [...bearer, ...apiKeys]
}

const givenKeys = (ctx: RequestContext) => [...headerKeys(ctx), ...readValues(ctx, 'api_key')]

/** The one API key of a request. The same key in several places is fine: real clients do that. */
export function readApiKey(ctx: RequestContext): string {
  const { first, count } = distinct(givenKeys(ctx))
  if (count === 0) throw new ApiError('missing_api_key')
  if (count > 1) throw new ApiError('conflicting_api_keys')
  return requireValue('api_key', first)
}

/** Every text in a request that may be a key, also where `readApiKey` fails. */
export function readApiKeys(ctx: RequestContext): string[] {
  // A parameter in brackets is a list.
  const read = givenKeys(ctx)
    .flat()
    .flatMap((value) => readValue('api_key', value) ?? [])
  return [...new Set(read)]
}

/** The shape that was asked for. */
export function readShape(ctx: RequestContext) {
  const given = new Set(readValues(ctx, 'shape'))
  if (given.size > 1) throw invalid('shape')
  return given.size === 0 ? undefined : requireValue('shape', [...given][0])
}

/** What `Prefer: pass=KID,KID` gives for the parameter `pass`. */
export const preferredPass = (header: string): string =>
  /(?:^|[,;\s])pass\s*=\s*"?([\w,\s-]*)/i.exec(header)?.[1] ?? ''

/** The signing keys that a request names to get a pass. */
export function readPass(ctx: RequestContext): string[] {
  const preferred = (ctx.req.headersDistinct.prefer ?? []).map(preferredPass)
  const given = [...preferred, ...readValues(ctx, 'pass')].filter((value) => typeof value === 'string')
  return readValue('pass', given.join()) ?? []
}

/** The one value among those that were given for a parameter. */
export function oneOf<Name extends ParameterName>(
  name: Name,
  values: readonly unknown[],
): ParameterValues[Name] {
  // There is no honest reason to give an id twice, even the same one.
  if (name === 'item_id' && values.length > 1) throw invalid(name)
  const toForm = (value: unknown) => (typeof value === 'string' ? cleanPastedCode(value) : value)
  const { first, count } = distinct(name === 'purchase_code' ? values.map(toForm) : values)
  if (count === 0) throw new ApiError('missing_parameter', { parameter: name })
  if (count > 1) throw invalid(name)
  return requireValue(name, first)
}

/** The parameters that an operation needs, read. */
export function requiredParameters<Name extends OperationName>(
  ctx: RequestContext,
  operation: Name,
): RequiredParameters<Name> {
  const entries = operations[operation].required.map((name) => [name, oneOf(name, readValues(ctx, name))])
  // An object of names that are known at run time has a type that names none.
  return Object.fromEntries(entries)
}
