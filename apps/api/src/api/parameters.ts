import { type ParameterName, parameterSchemas } from '@saleproof/schema'
import * as v from 'valibot'
import { ApiError } from '../http/api-error.ts'
import type { Parameter, RequestContext } from '../http/state.ts'

/** The name of a known parameter in the brackets that some clients write for arrays and objects: `item_id[]`, `item_id[a]`. */
const bracketed = /^(api_key|item_id|purchase_code|shape)\[/

/** Every value that was given for a parameter, from the query and the body; a bracketed name gives an array. */
function valuesOf(ctx: RequestContext, name: ParameterName): unknown[] {
  const given: Parameter[] = [...new URLSearchParams(ctx.querystring), ...ctx.state.body]
  return given.flatMap(([key, value]) => {
    if (key === name) return [value]
    return bracketed.exec(key)?.[1] === name ? [[value]] : []
  })
}

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''
const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value)

function parsed<Name extends ParameterName>(name: Name, value: unknown) {
  const result = v.safeParse(parameterSchemas[name], value)
  if (!result.success) throw new ApiError('invalid_parameter', { parameter: name })
  return result.output as v.InferOutput<(typeof parameterSchemas)[Name]>
}

/** The places that a key can be in, beside the parameters. Another scheme than Bearer, such as a proxy's Basic, is not ours. */
function headerKeys(ctx: RequestContext): string[] {
  const { authorization, 'x-api-key': header } = ctx.req.headersDistinct
  const bearer = (authorization ?? []).map((text) => /^bearer(?:\s+(.*))?$/i.exec(text.trim())?.[1] ?? '')
  return [...bearer, ...(header ?? [])]
}

/** The one API key of a request. The same key in several places is fine: real clients do that. */
export function apiKeyOf(ctx: RequestContext): string {
  const given = [...headerKeys(ctx), ...valuesOf(ctx, 'api_key')].filter((value) => !isBlank(value))
  if (given.length === 0) throw new ApiError('missing_api_key')
  if (new Set(given.map(trimmed)).size > 1) throw new ApiError('conflicting_api_keys')
  return parsed('api_key', given[0])
}

/** The shape that was asked for; undefined where none was. */
export function shapeOf(ctx: RequestContext) {
  const given = new Set(valuesOf(ctx, 'shape'))
  if (given.size > 1) throw new ApiError('invalid_parameter', { parameter: 'shape' })
  const [value] = given
  return value === undefined ? undefined : parsed('shape', value)
}

/** The id of an item. Given twice it is an error even when both are the same: there is no honest reason to. */
export function itemIdOf(ctx: RequestContext): number {
  const given = valuesOf(ctx, 'item_id')
  if (given.length > 1) throw new ApiError('invalid_parameter', { parameter: 'item_id' })
  if (given.length === 0 || isBlank(given[0]))
    throw new ApiError('missing_parameter', { parameter: 'item_id' })
  return parsed('item_id', given[0])
}

/** The purchase code, trimmed. */
export const purchaseCodeOf = (ctx: RequestContext) => purchaseCodeAmong(valuesOf(ctx, 'purchase_code'))

/** The purchase code among the values that were given for it, trimmed. */
export function purchaseCodeAmong(values: readonly unknown[]): string {
  const given = values.filter((value) => !isBlank(value))
  if (given.length === 0) throw new ApiError('missing_parameter', { parameter: 'purchase_code' })
  if (new Set(given.map(trimmed)).size > 1)
    throw new ApiError('invalid_parameter', { parameter: 'purchase_code' })
  return parsed('purchase_code', given[0])
}
