import { type OperationName, operationList } from '@saleproof/schema'
import type { RequestEvent } from './observer.ts'

/** What is served besides the four operations, by how its routes begin. */
const areas = [
  ['/healthz', 'health'],
  ['/readyz', 'health'],
  ['/metrics', 'metrics'],
  ['/admin/import', 'import'],
  ['/console', 'console'],
  ['/docs', 'docs'],
  ['/openapi.json', 'docs'],
] as const

/** What a request asked for: an operation, another area, or nothing that there is (`other`). */
export type Area = OperationName | (typeof areas)[number][1] | 'other'

export const areaNames: readonly Area[] = [
  ...operationList.map(({ name }) => name),
  ...new Set(areas.map(([, name]) => name)),
  'other',
]

/** The area of a request: the metrics' label, of which there are few whatever is asked for. */
export function areaOf({ operation, route }: Pick<RequestEvent, 'operation' | 'route'>): Area {
  if (operation) return operation
  return (route !== null && areas.find(([start]) => route.startsWith(start))?.[1]) || 'other'
}
