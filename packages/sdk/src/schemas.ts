import type { OperationName, Shape } from '@saleproof/schema/constants'
import { isFilledList, rules } from '@saleproof/schema/records'
import { operationPatterns, recordPatterns, type StrictPattern } from './strict-patterns.ts'

type Rule = (value: unknown) => boolean

const ruleOf: Readonly<Record<string, Rule | undefined>> = rules

function fitsType(pattern: string, value: unknown): boolean {
  const type = pattern.replace(/\W/, '')
  if (value === undefined) return type !== pattern
  return ruleOf[type]?.(value) === true && (!pattern.endsWith('+') || isFilledList(value))
}

function fits(pattern: StrictPattern, value: unknown, shape: Shape): boolean {
  if (typeof pattern === 'string') {
    const record = recordPatterns[shape][pattern] ?? recordPatterns.base[pattern]
    return record ? fits(record, value, shape) : fitsType(pattern, value)
  }
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(pattern))
    return Array.isArray(value) && value.every((entry) => fits(pattern[0], entry, shape))
  return Object.entries(pattern).every(([field, inner]) => fits(inner, Reflect.get(value, field), shape))
}

/**
 * Checks every field of what a call returns: links, timestamps, currencies, amounts. Returns whether all are valid; fields of later
 * versions are accepted. Give it to a client as `validate`. Without it, a client checks what decides and what is computed with.
 *
 * @example
 * const client = createClient({ baseUrl, apiKey, validate: strictValidator })
 */
export const strictValidator = (operation: OperationName, value: unknown, shape?: Shape): boolean =>
  (shape !== 'extended' && fits(operationPatterns[operation], value, 'base')) ||
  (shape !== 'base' && fits(operationPatterns[operation], value, 'extended'))
